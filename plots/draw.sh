#!/usr/bin/env bash
# Draws every chart that the TSV files of a folder allow.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'END'
usage: draw.sh DIR [--out DIR2] [--note TEXT] [--only "NAME..."] [--sums]

Reads bandwidth.tsv, sizes.tsv, shapes.tsv, counts.tsv, lanes.tsv, timeline.tsv and in_flight.tsv, as
many of them as DIR holds, and draws into DIR2 (DIR/figures unless given). The maps of banks and sectors, the
orders of tiles and the windows are always drawn. Charts are SVG; grids of numbered cells, which are larger as
SVG, are PNG. TEXT is added to what stands below each title;
for a folder of plots/results it is "recorded" unless given. With --only just the pictures named are
drawn, say "sizes.svg counts.svg".

--sums draws nothing, and prints the name of each picture and a checksum of all that it is drawn
from, as a TSV file with the columns figure and checksum.

Exit status: 0; 1 a chart could not be drawn or written (the old file is as it was), or gnuplot is
missing; 2 a usage error or a malformed TSV file (nothing is drawn).
END
}

dir='' out='' note='' only='' sums=no
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h) usage; exit 0 ;;
    --out | --note | --only)
        [ $# -ge 2 ] || { complain "$1 needs a value"; exit 2; }
        case $1 in
        --out) out=$2 ;;
        --note) note=$2 ;;
        *) only=" $2 " ;;
        esac
        shift ;;
    --sums) sums=yes ;;
    -*) complain "unknown option $1 (see --help)"; exit 2 ;;
    *)
        [ -z "$dir" ] || { complain "one folder only, please (see --help)"; exit 2; }
        dir=$1 ;;
    esac
    shift
done
[ -n "$dir" ] || { complain "which folder? (see --help)"; exit 2; }
[ -d "$dir" ] || { complain "$dir: no such folder"; exit 2; }

for name in bandwidth sizes shapes counts lanes timeline in_flight; do
    [ ! -e "$dir/$name.tsv" ] || check_known_tsv "$dir/$name.tsv" || exit 2
done
maps=$here/results/bank_maps
for map in plain padded swizzle_5_0_5 guide_plain guide_swizzle_128; do
    check_tsv "$maps/$map.tsv" "$map_columns" || exit 2
done
check_tsv "$maps/sectors.tsv" "$sectors_columns" || exit 2

if [ "$(cd "$dir/.." && pwd)" = "$here/results" ]; then : "${note:=recorded}"; fi

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work" "$out"/.drawing.$$.*' EXIT
trap 'exit 1' HUP INT TERM
if [ $sums = no ]; then
    if ! command -v gnuplot >/dev/null; then
        complain "gnuplot is missing, the TSV files are kept; get it (apt-get install gnuplot-nox), then run: plots/draw.sh $dir"
        exit 1
    fi
    : "${out:=$dir/figures}"
    mkdir -p "$out" 2>/dev/null || { complain "$out: cannot be made"; exit 1; }
    out=$(cd "$out" && pwd) # gnuplot runs in another folder
else
    printf 'figure\tchecksum\n'
fi

failed=0 drawn=()

# chart NAME.TYPE SCRIPT DATA SUBTITLE ARGUMENT...: draws $out/NAME.TYPE, beside its place first, and
# moves it there when it is whole.
chart() {
    local name=$1 script=$2 data=$3 part
    case ${only:- $name } in *" $name "*) ;; *) return ;; esac
    shift 3
    part=$out/.drawing.$$.$name
    if [ $sums = yes ]; then
        printf '%s\t%s\n' "$name" "$({ code "$script"; contents "$data" "$@"; } | cksum | tr ' ' .)"
        return
    fi
    if ! { (cd "$here" && LC_ALL=C.UTF-8 gnuplot -c "$script" "$data" "$part" "$@") &&
        finished "$part" && mv -f "$part" "$out/$name"; } >"$work/log" 2>&1; then
        complain "$out/$name could not be drawn: $(grep -v warning "$work/log" | grep -m1 "[a-z]")"
        failed=1
        return
    fi
    drawn+=("$name")
}

# contents ARGUMENT...: each, or what is in it if it is a file.
contents() {
    local argument
    for argument in "$@"; do
        if [ -f "$argument" ]; then cat "$argument"; else printf '%s\n' "$argument"; fi
    done
}

# code SCRIPT: what it runs, with the scripts that it calls, without comments.
code() {
    local called
    grep -v '^ *#' "$here/$1"
    sed -n 's/^call "\([^"]*\)".*/\1/p' "$here/$1" | while read -r called; do code "$called"; done
}

# A full disk can stop gnuplot early without an error: is the end of the picture there?
finished() {
    case $1 in
    *.png) tail -c 12 "$1" | grep -q IEND ;;
    *) tail -c 12 "$1" | grep -q '</svg>' ;;
    esac
}

# subtitle FILE [TEXT]: TEXT, then which GPU, when, and the note, as far as they are known.
subtitle() {
    local text=${2:-} more
    for more in "$(header "$1" gpu)" "$(header "$1" date)" "$note"; do
        [ -z "$more" ] || text=${text:+$text, }$more
    done
    printf '%s' "$text"
}

# figure FILE KEY: the number of that header line, nan if there is none or it is unknown.
figure() {
    local value
    value=$(header "$1" "$2")
    case $value in
    '' | 0 | 0.0 | *[!0-9.]*) echo nan ;;
    *) echo "$value" ;;
    esac
}

# arrange SCRIPT FILE [ASSIGNMENT]: FILE in the form that a chart wants, to standard output.
arrange() { read_tsv "$1" ${3:+-v "$3"} "$2"; }

file=$dir/bandwidth.tsv
if [ -e "$file" ]; then
    arrange bars.awk "$file" progression=1 >"$work/best"
    arrange bars.awk "$file" >"$work/all"
    below=$(subtitle "$file" "$(header "$work/all" size) floats")
    peak=$(figure "$file" "theoretical peak GB/s")
    ceiling=$(header "$work/all" ceiling)
    chart progression.svg progression.gp "$work/best" "$below" "$ceiling" "$peak"
    chart variants.svg variants.gp "$work/all" "$below" "$ceiling" "$peak"
fi

file=$dir/sizes.tsv
if [ -e "$file" ]; then
    arrange sizes.awk "$file" >"$work/sizes"
    l2=$(figure "$file" "l2 bytes")
    if [ -s "$work/sizes" ]; then
        chart sizes.svg sizes.gp "$work/sizes" "$(subtitle "$file")" "$l2" \
            "$(header "$work/sizes" most)" "$(header "$work/sizes" lines)"
    elif [ $sums = no ]; then
        echo "$file: no square size was measured, so no chart of sizes"
    fi
fi

file=$dir/shapes.tsv
if [ -e "$file" ]; then
    arrange shapes.awk "$file" >"$work/shapes"
    shapes_more=''
    [ "$(header "$work/shapes" beyond)" != 1 ] || shapes_more="; a mark at the right edge: more than that"
    [ ! -s "$work/shapes" ] ||
        chart shapes.svg shapes.gp "$work/shapes" "$(subtitle "$file")$shapes_more" "$(header "$work/shapes" most)"
fi

file=$dir/counts.tsv
# The hardware knows no ideal; a chart that compares with it needs one.
if [ -e "$file" ] && "$here/columns.sh" "$file" ideal_work | grep -q '^[0-9]'; then
    arrange counts.awk "$file" >"$work/counts"
    chart counts.svg counts.gp "$work/counts" "$(subtitle "$file" "$(header "$work/counts" size) floats")"
fi

file=$dir/lanes.tsv
if [ -e "$file" ]; then
    "$here/columns.sh" "$file" step | awk '!seen[$0]++' >"$work/steps"
    while read -r step; do
        arrange lanes.awk "$file" "step=$step" >"$work/lanes"
        chart "lanes_$step.png" lanes.gp "$work/lanes" \
            "$(subtitle "$file" "a box: a word and its lane; a line: the next part of a wide access")" "$step"
        arrange groups.awk "$file" "step=$step" >"$work/groups"
        if grep -q cell "$work/groups"; then
            chart "groups_$step.png" groups.gp "$work/groups" "$(subtitle "$file")" "$step"
        fi
    done <"$work/steps"
fi

awk -v tiles=8 -v first=20 -v flying=12 -f "$here/orders.awk" >"$work/orders"
chart tile_orders.png orders.gp "$work/orders" \
    "pale: done; dark: in flight, blocks 20 to 31; white: still to come"

file=$dir/timeline.tsv
if [ -e "$file" ]; then
    read_tsv timeline.awk -v "kernels=padded coarsen8" -v span=8000 "$file" >"$work/timeline"
    chart timeline.svg timeline.gp "$work/timeline" "$(subtitle "$file" "$(header "$file" size) x $(header "$file" size) floats")" \
        padded "padded: one element a thread, 1024 threads a block" \
        coarsen8 "coarsen8: eight elements a thread, 128 threads a block" 8000
fi

file=$dir/in_flight.tsv
if [ -e "$file" ]; then
    {
        printf 'kernel\tbytes_per_thread\tin_flight_kb\tgb_per_s\n'
        "$here/columns.sh" "$file" kernel bytes_per_thread in_flight_kb gb_per_s
    } >"$work/in_flight"
    chart in_flight.svg in_flight.gp "$work/in_flight" \
        "$(subtitle "$file" "a bar's label: bytes in flight, and the kernel's speed")"
fi

for map in plain padded swizzle_5_0_5; do
    file=$maps/$map.tsv
    chart "bank_map_$map.png" bank_map.gp "$file" \
        "$(arrange banks.awk "$file"); column 0 is outlined" \
        "The bank of each element: $(header "$file" layout)"
done
chart bank_map_guide.png bank_map.gp "$maps/guide_plain.tsv" \
    "at: its place in shared memory, counted in elements; column 0 is outlined" \
    "An 8x8 tile of 16-byte elements: the group of four banks of each" \
    "No swizzle: $(arrange banks.awk "$maps/guide_plain.tsv")" \
    "$maps/guide_swizzle_128.tsv" \
    "128-byte swizzle: $(arrange banks.awk "$maps/guide_swizzle_128.tsv")"

awk -v rows=1003 -v first=64 -v width=16 -f "$here/windows.awk" >"$work/windows"
chart windows.png windows.gp "$work/windows" \
    "a box: a sector of 32 bytes, eight words; a number: which element; red: a sector that is written in part" \
    "Output rows that begin anywhere: a tile's part, and windows"

# sectors NAME HEADING PATTERN...: some of the requests to global memory.
sectors() {
    local name=$1 text=$2
    shift 2
    arrange sectors.awk "$maps/sectors.tsv" "patterns=$*" >"$work/sectors"
    chart "$name" sectors.gp "$work/sectors" "a box of eight words: a sector of 32 bytes; a number: the lane that wants the word" "$text"
}
sectors sectors_rows.png "What a warp wants of global memory: rows" row wide shifted
sectors sectors_column.png "What a warp wants of global memory: a row and a column" row column

[ ${#drawn[@]} -eq 0 ] || echo "drawn in $out: ${drawn[*]}"
exit $failed
