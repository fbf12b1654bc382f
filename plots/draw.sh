#!/usr/bin/env bash
# Draws every chart that the TSV files of a folder allow, as PNG and SVG.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'END'
usage: draw.sh DIR [--out DIR2] [--note TEXT]

Reads bandwidth.tsv, sizes.tsv, counts.tsv and lanes.tsv, as many of them as DIR holds, and draws
into DIR2 (DIR/figures unless given). The bank maps are always drawn. TEXT is added to what
stands below each title, for instance "recorded".

Exit status: 0; 1 a chart could not be drawn or written (the old file is as it was), or gnuplot is
missing; 2 a usage error or a malformed TSV file (nothing is drawn).
END
}

dir='' out='' note=''
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h) usage; exit 0 ;;
    --out | --note)
        [ $# -ge 2 ] || { complain "$1 needs a value"; exit 2; }
        if [ "$1" = --out ]; then out=$2; else note=$2; fi
        shift ;;
    -*) complain "unknown option $1 (see --help)"; exit 2 ;;
    *)
        [ -z "$dir" ] || { complain "one folder only, please (see --help)"; exit 2; }
        dir=$1 ;;
    esac
    shift
done
[ -n "$dir" ] || { complain "which folder? (see --help)"; exit 2; }
[ -d "$dir" ] || { complain "$dir: no such folder"; exit 2; }

for name in bandwidth sizes counts lanes; do
    [ ! -e "$dir/$name.tsv" ] || check_known_tsv "$dir/$name.tsv" || exit 2
done
maps=$here/results/bank_maps
for map in plain padded swizzle_5_0_5 guide_plain guide_swizzle_128; do
    check_tsv "$maps/$map.tsv" "$map_columns" || exit 2
done

if ! command -v gnuplot >/dev/null; then
    complain "gnuplot is missing, the TSV files are kept; get it (apt-get install gnuplot-nox), then run: plots/draw.sh $dir"
    exit 1
fi

: "${out:=$dir/figures}"
mkdir -p "$out" 2>/dev/null || { complain "$out: cannot be made"; exit 1; }
out=$(cd "$out" && pwd) # gnuplot runs in another folder
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work" "$out"/.drawing.$$.*' EXIT
trap 'exit 1' HUP INT TERM

failed=0 drawn=()

# chart NAME SCRIPT DATA SUBTITLE ARGUMENT...: draws $out/NAME.png and NAME.svg. Each is drawn
# beside its place and moved there when it is whole.
chart() {
    local name=$1 script=$2 data=$3 type part
    shift 3
    for type in png svg; do
        part=$out/.drawing.$$.$type
        if ! { (cd "$here" && LC_ALL=C.UTF-8 gnuplot -c "$script" "$data" "$part" "$@") &&
            finished "$part" && mv -f "$part" "$out/$name.$type"; } >"$work/log" 2>&1; then
            complain "$out/$name.$type could not be drawn: $(grep -v warning "$work/log" | grep -m1 "[a-z]")"
            failed=1
            return
        fi
    done
    drawn+=("$name")
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
    chart progression progression.gp "$work/best" "$below" "$ceiling" "$peak"
    chart variants variants.gp "$work/all" "$below" "$ceiling" "$peak"
fi

file=$dir/sizes.tsv
if [ -e "$file" ]; then
    arrange sizes.awk "$file" >"$work/sizes"
    l2=$(figure "$file" "l2 bytes")
    if [ -s "$work/sizes" ]; then
        chart sizes sizes.gp "$work/sizes" "$(subtitle "$file")" "$l2" \
            "$(header "$work/sizes" most)" "$(header "$work/sizes" lines)"
    else
        echo "$file: no square size was measured, so no chart of sizes"
    fi
fi

file=$dir/counts.tsv
# The hardware knows no ideal; a chart that compares with it needs one.
if [ -e "$file" ] && "$here/columns.sh" "$file" ideal_work | grep -q '^[0-9]'; then
    arrange counts.awk "$file" >"$work/counts"
    chart counts counts.gp "$work/counts" "$(subtitle "$file" "$(header "$work/counts" size) floats")"
fi

file=$dir/lanes.tsv
if [ -e "$file" ]; then
    "$here/columns.sh" "$file" step | awk '!seen[$0]++' >"$work/steps"
    while read -r step; do
        arrange lanes.awk "$file" "step=$step" >"$work/lanes"
        chart "lanes_$step" lanes.gp "$work/lanes" \
            "$(subtitle "$file" "a box: a word and its lane; a line: the next part of a wide access")" "$step"
    done <"$work/steps"
fi

for map in plain padded swizzle_5_0_5; do
    file=$maps/$map.tsv
    chart "bank_map_$map" bank_map.gp "$file" \
        "$(arrange banks.awk "$file"); column 0 is outlined" \
        "The bank of each element: $(header "$file" layout)"
done
chart bank_map_guide bank_map.gp "$maps/guide_plain.tsv" \
    "at: its place in shared memory, counted in elements; column 0 is outlined" \
    "An 8x8 tile of 16-byte elements: the group of four banks of each" \
    "No swizzle: $(arrange banks.awk "$maps/guide_plain.tsv")" \
    "$maps/guide_swizzle_128.tsv" \
    "128-byte swizzle: $(arrange banks.awk "$maps/guide_swizzle_128.tsv")"

[ ${#drawn[@]} -eq 0 ] || echo "drawn in $out, each as .png and .svg: ${drawn[*]}"
exit $failed
