#!/usr/bin/env bash
# Makes a run the recorded one: its TSV files, the committed figures, the tables in the READMEs.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'END'
usage: record.sh DIR [FOLDER]
       record.sh --check

Copies the TSV files of the run in DIR (the --out of run_all.sh) to plots/results/FOLDER, draws
plots/figures from them, and writes the table of results into README.md and the expected output
into each steps/*/README.md that has the markers for it. FOLDER is the GPU's name unless given. The
READMEs show the GPU that was recorded last. If DIR also holds the last_percent.tsv that
shared/tests/benchmark/last_percent.sh writes, the chapter of a step that has the markers for its
table gets it.

A run without a GPU has no bandwidth; its counts.tsv and lanes.tsv are recorded, as FOLDER `cpu`.
Refused are runs with a failed row, malformed files, and files of two GPUs.

--check compares instead, and names everything that is stale: tables, figures, bank maps.

Exit status: 0; 1 something is stale, or could not be written; 2 a usage error or a refused run
(nothing is changed).
END
}

stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM

refuse() { complain "$1"; exit 2; }

# put FILE DESTINATION: copies whole or not at all.
put() {
    mkdir -p "$(dirname "$2")" && cp "$1" "$2.$$" && mv -f "$2.$$" "$2" && return
    rm -f "$2.$$"
    complain "$2: cannot be written"
    exit 1
}

begin() { printf '<!-- %s: begin (plots/record.sh writes this) -->' "$1"; }
end() { printf '<!-- %s: end -->' "$1"; }

# has_markers FILE KIND: both, once, in order.
has_markers() {
    awk -v b="$(begin "$2")" -v e="$(end "$2")" \
        '$0 == b { if (n++ != 0) bad = 1 } $0 == e { if (n++ != 1) bad = 1 } END { exit bad || n != 2 }' "$1"
}

# fill FILE KIND TEXT: FILE with what lies between its markers replaced by the file TEXT.
fill() {
    awk -v b="$(begin "$2")" -v e="$(end "$2")" -v text="$3" '
        $0 == e { inside = 0 }
        !inside { print }
        $0 == b { inside = 1; while ((getline line < text) > 0) print line }' "$1"
}

# readmes RESULTS FOLDER: what the READMEs should be, under $stage with their paths from the top.
readmes() {
    local results=$1 link=plots/results/$2/bandwidth.tsv lesson step name
    has_markers "$root/README.md" results || refuse "README.md lacks the markers: $(begin results) and $(end results)"
    {
        echo
        "$here/table.sh" "$results/bandwidth.tsv" || exit
        echo
        echo "Every figure is the median of what [$link]($link) records."
        echo
    } >"$stage/table" || exit
    fill "$root/README.md" results "$stage/table" >"$stage/README.md"

    for lesson in "$root"/steps/*/README.md; do
        step=$(basename "$(dirname "$lesson")")
        # A link to a step is not another step.
        if [ -L "$root/steps/$step" ] || ! grep -qs '<!-- output: ' "$lesson"; then continue; fi
        has_markers "$lesson" output || refuse "steps/$step/README.md: the output markers are not once each, in order"
        if ! "$here/table.sh" "$results/bandwidth.tsv" "$step" >"$stage/output" 2>/dev/null; then
            echo "steps/$step: no rows in this run, its expected output stays as it is"
            continue
        fi
        { echo '```text'; cat "$stage/output"; echo '```'; } >"$stage/block"
        mkdir -p "$stage/steps/$step"
        fill "$lesson" output "$stage/block" >"$stage/steps/$step/README.md"
    done

    [ -f "$results/last_percent.tsv" ] || return 0
    { echo; "$here/percent_table.sh" "$results/last_percent.tsv" || exit; echo; } >"$stage/percent" || exit
    for lesson in "$root"/steps/*/*.md; do
        step=$(basename "$(dirname "$lesson")")
        if [ -L "$root/steps/$step" ] || ! grep -qs '<!-- percent: ' "$lesson"; then continue; fi
        name=steps/$step/${lesson##*/}
        has_markers "$lesson" percent || refuse "$name: the percent markers are not once each, in order"
        mkdir -p "$stage/steps/$step"
        [ -f "$stage/$name" ] || cp "$lesson" "$stage/$name"
        fill "$stage/$name" percent "$stage/percent" >"$stage/filled" && cp "$stage/filled" "$stage/$name"
    done
}

# make_maps DIR: the bank maps, afresh.
make_maps() {
    mkdir -p "$1"
    "${CC:-cc}" -std=c11 -I"$root/shared" "$here/bank_maps.c" -o "$stage/bank_maps" && "$stage/bank_maps" "$1"
}

check() {
    local stale=0 folder file svg gpu date
    stale() { echo "stale: $1"; stale=1; }

    if ! command -v "${CC:-cc}" >/dev/null; then
        echo "no C compiler: the bank maps are not checked"
    elif make_maps "$stage/maps"; then
        for file in "$stage"/maps/*.tsv; do
            cmp -s "$file" "$here/results/bank_maps/${file##*/}" || stale "plots/results/bank_maps/${file##*/}"
        done
    else
        stale "plots/bank_maps.c does not build"
    fi

    # Which run the README shows stands in its table's last line.
    folder=$(sed -n 's#.*(plots/results/\([^/]*\)/bandwidth.tsv).*#\1#p' "$root/README.md" | head -n 1)
    if [ -z "$folder" ]; then
        for file in "$here"/results/*/bandwidth.tsv; do
            [ ! -e "$file" ] || stale "README.md shows no results, but there is plots/${file#"$here"/}"
        done
        return $stale
    fi
    file=$here/results/$folder/bandwidth.tsv
    [ -f "$file" ] || { stale "README.md: plots/results/$folder is not there"; return 1; }
    readmes "$here/results/$folder" "$folder"
    (cd "$stage" && find README.md steps -name '*.md' 2>/dev/null) >"$stage/list"
    while read -r file; do
        cmp -s "$stage/$file" "$root/$file" || stale "$file"
    done <"$stage/list"

    # Figures differ from one gnuplot to the next, so compare what they say they show.
    for file in bandwidth:progression bandwidth:variants sizes:sizes; do
        svg=figures/${file#*:}.svg
        file=$here/results/$folder/${file%:*}.tsv
        [ -f "$file" ] || continue
        gpu=$(header "$file" gpu) date=$(header "$file" date)
        grep -qsF "$gpu, $date" "$here/$svg" || stale "plots/$svg"
    done
    return $stale
}

case ${1:-} in
--help | -h) usage; exit 0 ;;
--check)
    [ $# -eq 1 ] || refuse "--check stands alone"
    check
    exit ;;
'') refuse "which folder? (see --help)" ;;
-*) refuse "unknown option $1 (see --help)" ;;
esac
[ $# -le 2 ] || refuse "too many arguments (see --help)"
run=${1%/} folder=${2:-}
[ -d "$run" ] || refuse "$run: no such folder"

command -v gnuplot >/dev/null || { complain "gnuplot is missing (apt-get install gnuplot-nox); nothing is changed"; exit 1; }

mkdir "$stage/run"
if [ -f "$run/bandwidth.tsv" ]; then
    gpu=$(header "$run/bandwidth.tsv" gpu)
    case $gpu in
    '' | *CPU*) refuse "$run/bandwidth.tsv was not measured on a GPU (its gpu line says '$gpu')" ;;
    esac
    # "NVIDIA H200" becomes h200.
    : "${folder:=$(printf '%s' "${gpu#NVIDIA }" | tr '[:upper:]' '[:lower:]' | tr -cs 'a-z0-9\n' _ | sed 's/^_//; s/_$//')}"
    for file in "$run"/*.tsv; do
        name=${file##*/}
        check_known_tsv "$file" || exit 2
        case $name in
        bandwidth.tsv | sizes.tsv | last_percent.tsv)
            bad=$("$here/columns.sh" "$file" status variant step | sed -n 's/^failed\t\(.*\)\t/\1 of /p' | head -n 1)
            [ -z "$bad" ] || refuse "$file: $bad failed; a run with a failure is not recorded"
            [ "$(header "$file" gpu)" = "$gpu" ] || refuse "$file is of another GPU than bandwidth.tsv" ;;
        counts.tsv)
            if [ "$(header "$file" gpu)" != "$gpu" ]; then
                echo "$name was not counted on this GPU: not recorded"
                continue
            fi ;;
        esac
        cp "$file" "$stage/run/" || exit 1
    done
elif [ -f "$run/lanes.tsv" ] && [ -f "$run/counts.tsv" ]; then
    for name in lanes.tsv counts.tsv; do
        check_known_tsv "$run/$name" || exit 2
        cp "$run/$name" "$stage/run/" || exit 1
    done
    : "${folder:=cpu}"
else
    refuse "$run has no bandwidth.tsv: only a run on a GPU can be recorded"
fi
case $folder in
'' | *[!a-z0-9_-]* | bank_maps) refuse "'$folder' is no name for a folder of results: a-z, 0-9, _ and - only" ;;
esac

# Everything is made in $stage first, so that a failure leaves the tree as it was.
if [ -f "$stage/run/bandwidth.tsv" ]; then readmes "$stage/run" "$folder"; fi
"$here/draw.sh" "$stage/run" --out "$stage/figures" --note recorded >/dev/null || exit 1

for file in "$stage"/run/*.tsv; do put "$file" "$here/results/$folder/${file##*/}"; done
for file in "$stage"/figures/*; do put "$file" "$here/figures/${file##*/}"; done
if [ -f "$stage/README.md" ]; then put "$stage/README.md" "$root/README.md"; fi
for file in "$stage"/steps/*/*.md; do
    [ ! -f "$file" ] || put "$file" "$root/${file#"$stage"/}"
done
echo "recorded in plots/results/$folder; look at plots/figures and at git diff, then commit"
