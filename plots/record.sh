#!/usr/bin/env bash
# Makes a run the recorded one: its TSV files, the committed figures, the tables in the READMEs.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(dirname "$here")
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'END'
usage: record.sh DIR [FOLDER]
       record.sh --show FOLDER
       record.sh --refresh
       record.sh --check

Copies the results in DIR (of shared/tests/benchmark/measure.sh, or the --out of run_all.sh) to
plots/results/FOLDER: bandwidth.tsv and, as far as DIR holds them, sizes.tsv, shapes.tsv, last_percent.tsv,
counts.tsv, dram.tsv, caches.tsv, timeline.tsv, in_flight.tsv, halves.tsv, halves_counts.tsv and raw/. FOLDER is the GPU's name unless given. Then writes from all that is
recorded, between the markers for it:

  README.md, plots/results/*/lessons.md   the figures that they quote
  plots/results/README.md         each step's headline, on all recorded GPUs
  plots/results/FOLDER/README.md  every variant, and the DRAM traffic; made if it is not there
  steps/*/*.md                    the expected output, the table of percentages; of the shown GPU;
                                  and the figures that they quote (see quote.sh --help)
  plots/figures                   of the shown GPU, and of the run on the CPU

The shown GPU is named in plots/results/shown: the one recorded first, until --show names another.

A run without a GPU has no bandwidth; its counts.tsv and lanes.tsv are recorded, as FOLDER `cpu`.
Refused are runs with a failed row, malformed files, and files of two GPUs.

--refresh writes everything anew from what is recorded already, after a script or a page was changed.
--check compares instead, and names everything that is stale: tables, figures, bank maps.

Exit status: 0; 1 something is stale, or could not be written; 2 a usage error or a refused run
(nothing is changed).
END
}

stage=$(mktemp -d) || exit 1
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM
results=$stage/results # all that is recorded, the new run included
made=$stage/made       # what is written from it, with paths from the top

refuse() { complain "$1"; exit 2; }

# put FILE DESTINATION: copies whole or not at all, if the two differ.
put() {
    ! cmp -s "$1" "$2" || return 0
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

# fill PATH KIND TEXT: what lies between the markers of that file, in $made, becomes the file TEXT.
# The file comes from the tree unless it is in $made already.
fill() {
    mkdir -p "$made/$(dirname "$1")"
    [ -f "$made/$1" ] || cp "$root/$1" "$made/$1" || exit 1
    has_markers "$made/$1" "$2" || refuse "$1 lacks the markers: $(begin "$2") and $(end "$2")"
    awk -v b="$(begin "$2")" -v e="$(end "$2")" -v text="$3" '
        $0 == e { inside = 0 }
        !inside { print }
        $0 == b { inside = 1; while ((getline line < text) > 0) print line }' "$made/$1" >"$stage/filled" &&
        mv "$stage/filled" "$made/$1" || exit 1
}

# make_readme: the table of headlines.
make_readme() {
    local folder files=()
    for folder in $(recorded_gpus "$results" "$shown"); do files+=("$results/$folder/bandwidth.tsv"); done
    {
        echo
        "$here/tables.py" headlines "${files[@]}" || exit
        echo
        echo "\`a → b\`: the variant that the headline is compared with, then the headline, each in percent of the copy ceiling."
        echo
        for folder in $(recorded_gpus "$results" "$shown"); do
            echo "* [Every variant on the $(gpu_name "$folder")]($folder/README.md):" \
                "$(header "$results/$folder/bandwidth.tsv" date), from [bandwidth.tsv]($folder/bandwidth.tsv)."
        done
        echo
    } >"$stage/table" || exit
    fill plots/results/README.md results "$stage/table"
    quote plots/results/README.md
    make_shapes README.md ''
    quote README.md
}

# quote PATH: the figures that a page quotes; what is not recorded is said, and stays.
quote() {
    mkdir -p "$made/$(dirname "$1")"
    [ -f "$made/$1" ] || cp "$root/$1" "$made/$1" || exit 1
    "$here/quote.sh" "$made/$1" --results "$results" >"$stage/quoted" 2>"$stage/log" || [ $? -eq 1 ] || exit 1
    sed "s#^$made/##" "$stage/log" >&2
    mv "$stage/quoted" "$made/$1" || exit 1
}

gpu_name() { header "$results/$1/bandwidth.tsv" gpu | sed 's/^NVIDIA //'; }

# shapes_of FOLDER: the table of all shapes, or that there is none.
shapes_of() {
    echo
    if [ -f "$results/$1/shapes.tsv" ]; then
        "$here/tables.py" shapes "$results/$1/shapes.tsv" || exit
        printf '\nPercent of cudaMemcpy in the same process; %s, %s; the fastest in bold.\n' \
            "$(gpu_name "$1")" "$(header "$results/$1/shapes.tsv" date)"
    else
        echo "Not recorded on this GPU yet."
    fi
    echo
}

# make_shapes PAGE UP [table]: the chart of shapes and their table, if the page has a place for them. UP
# leads from the page to the top.
make_shapes() {
    grep -qs '<!-- shapes: ' "$root/$1" || return 0
    {
        if [ -f "$results/$shown/shapes.tsv" ]; then
            printf '\n![%s](%splots/figures/shapes.svg)\n' \
                "percent of cudaMemcpy for many shapes and elements: transpose(), cuBLAS, PyTorch" "$2"
        fi
        if [ "${3:-}" = table ] || [ ! -f "$results/$shown/shapes.tsv" ]; then shapes_of "$shown"; else echo; fi
    } >"$stage/shapes" || exit
    fill "$1" shapes "$stage/shapes"
}

# make_gpu_readme FOLDER: the table of all variants, and of DRAM traffic.
make_gpu_readme() {
    local page=plots/results/$1/README.md
    if [ ! -f "$root/$page" ]; then
        mkdir -p "$made/plots/results/$1"
        {
            printf '# %s\n\n' "$(header "$results/$1/bandwidth.tsv" gpu)"
            echo "What one recorded run gave on this GPU. To draw its charts:" \
                "\`plots/draw.sh plots/results/$1 --out DIR\`."
            printf '\n## Every variant\n\n%s\n%s\n' "$(begin variants)" "$(end variants)"
            printf '\n## DRAM traffic\n\n%s\n%s\n' "$(begin dram)" "$(end dram)"
            printf '\n## Any shape\n\n%s\n%s\n' "$(begin shapes)" "$(end shapes)"
        } >"$made/$page"
    fi
    {
        echo
        "$here/table.sh" "$results/$1/bandwidth.tsv" || exit
        printf '\nEvery figure is the median of what [bandwidth.tsv](bandwidth.tsv) records.\n\n'
    } >"$stage/table"
    fill "$page" variants "$stage/table"
    {
        echo
        if [ -f "$results/$1/dram.tsv" ]; then
            "$here/tables.py" dram "$results/$1/dram.tsv" || exit
            printf '\nWhat the counters said is in [dram.tsv](dram.tsv).\n'
        else
            echo "Not recorded on this GPU yet."
        fi
        echo
    } >"$stage/table"
    fill "$page" dram "$stage/table"
    shapes_of "$1" >"$stage/table" || exit
    fill "$page" shapes "$stage/table"
}

# make_lessons: the expected output in each lesson, the percentages in its chapters.
make_lessons() {
    local page step
    for page in "$root"/steps/*/*.md; do
        step=$(basename "$(dirname "$page")")
        # A link to a step is not another step.
        [ ! -L "$root/steps/$step" ] || continue
        page=steps/$step/${page##*/}
        if grep -qs '<!-- output: ' "$root/$page"; then
            if "$here/table.sh" "$results/$shown/bandwidth.tsv" "$step" >"$stage/output" 2>/dev/null; then
                { echo '```text'; cat "$stage/output"; echo '```'; } >"$stage/block"
                fill "$page" output "$stage/block"
            else
                echo "steps/$step: no rows in this run, its expected output stays as it is"
            fi
        fi
        if [ -f "$results/$shown/last_percent.tsv" ] && grep -qs '<!-- percent: ' "$root/$page"; then
            { echo; "$here/percent_table.sh" "$results/$shown/last_percent.tsv" || exit; echo; } >"$stage/percent"
            fill "$page" percent "$stage/percent"
        fi
        make_shapes "$page" ../../ table
        quote "$page"
    done
}

# draw_from ARGUMENT...: draw.sh for the shown GPU, then for the CPU.
draw_from() {
    [ -z "$shown" ] || "$here/draw.sh" "$results/$shown" --note recorded "$@" || exit 1
    [ ! -d "$results/cpu" ] || "$here/draw.sh" "$results/cpu" --note recorded "$@" || exit 1
}

# make_pages: everything that is written from the recorded results, but the pictures themselves.
make_pages() {
    local folder
    if [ -n "$shown" ]; then
        make_readme
        make_lessons
    fi
    for folder in $(recorded_gpus "$results" "$shown"); do
        make_gpu_readme "$folder"
        [ ! -f "$here/results/$folder/lessons.md" ] || quote "plots/results/$folder/lessons.md"
    done
    if [ -n "$shown" ] || [ -d "$results/cpu" ]; then
        mkdir -p "$made/plots/figures"
        draw_from --sums >"$stage/sums" || exit 1
        awk '!seen[$0]++' "$stage/sums" >"$made/plots/figures/drawn_from.tsv"
    fi
}

# old_sum FIGURE: the checksum of what it was drawn from.
old_sum() { sed -n "s/^$1	//p" "$here/figures/drawn_from.tsv" 2>/dev/null; }

# write_pages: $made into the tree, with the pictures that are to be drawn from something else than
# before, which are drawn first.
write_pages() {
    local name sum file old=''
    if [ -f "$stage/sums" ]; then
        while read -r name sum; do
            if [ "$name" != figure ] && { [ "$(old_sum "$name")" != "$sum" ] || [ ! -f "$here/figures/$name" ]; }; then
                old+=" $name"
            fi
        done <"$made/plots/figures/drawn_from.tsv"
        [ -z "$old" ] || draw_from --out "$made/plots/figures" --only "$old" >"$stage/log"
    fi
    # Raw counts belong together: none of an earlier run stays among them.
    [ -z "$(compgen -G "$stage/run/raw/*.csv")" ] || rm -f "$here/results/$target"/raw/[0-9]*.csv
    (cd "$made" && find . -type f) >"$stage/list"
    while read -r file; do put "$made/$file" "$root/$file"; done <"$stage/list"
}

# make_maps DIR: the bank maps, afresh.
make_maps() {
    mkdir -p "$1"
    "${CC:-cc}" -std=c11 -I"$root/shared" "$here/bank_maps.c" -o "$stage/bank_maps" && "$stage/bank_maps" "$1"
}

check() {
    local stale=0 file name sum gpu date
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

    if [ -n "$shown" ] && [ ! -f "$results/$shown/bandwidth.tsv" ]; then
        stale "plots/results/shown names $shown, of which nothing is recorded"
        return 1
    elif [ -z "$shown" ] && [ -n "$(recorded_gpus "$results" "$shown")" ]; then
        stale "plots/results/shown is not there, but results are"
        return 1
    fi
    make_pages
    (cd "$made" 2>/dev/null && find . -name '*.md') | sed 's#^\./##' >"$stage/list"
    while read -r file; do
        cmp -s "$made/$file" "$root/$file" || stale "$file"
    done <"$stage/list"
    [ -f "$made/plots/figures/drawn_from.tsv" ] || return $stale
    while read -r name sum; do
        [ "$name" != figure ] || continue
        if [ ! -f "$here/figures/$name" ] || [ "$(old_sum "$name")" != "$sum" ]; then stale "plots/figures/$name"; fi
    done <"$made/plots/figures/drawn_from.tsv"
    # Pictures differ from one gnuplot to the next, but what they say they show does not.
    for name in bandwidth:progression bandwidth:variants sizes:sizes shapes:shapes; do
        file=$results/$shown/${name%:*}.tsv name=plots/figures/${name#*:}.svg
        if [ -f "$file" ] && [ -f "$root/$name" ]; then
            gpu=$(header "$file" gpu) date=$(header "$file" date)
            grep -qsF "$gpu, $date" "$root/$name" || stale "$name"
        fi
    done
    return $stale
}

# take_run RUN FOLDER: the files of a run into $results, if they can be recorded.
take_run() {
    local run=$1 folder=$2 file name gpu='' bad names="bandwidth sizes shapes last_percent counts dram caches timeline in_flight halves halves_counts exercises"
    if [ -f "$run/bandwidth.tsv" ]; then
        gpu=$(header "$run/bandwidth.tsv" gpu)
        case $gpu in
        '' | *CPU*) refuse "$run/bandwidth.tsv was not measured on a GPU (its gpu line says '$gpu')" ;;
        esac
        # "NVIDIA H200" becomes h200.
        : "${folder:=$(printf '%s' "${gpu#NVIDIA }" | tr '[:upper:]' '[:lower:]' | tr -cs 'a-z0-9\n' _ | sed 's/^_//; s/_$//')}"
    elif [ -f "$run/lanes.tsv" ] && [ -f "$run/counts.tsv" ]; then
        names="counts lanes"
        : "${folder:=cpu}"
    else
        refuse "$run has no bandwidth.tsv: only a run on a GPU can be recorded"
    fi
    case $folder in
    '' | *[!a-z0-9_-]* | bank_maps | shown) refuse "'$folder' is no name for a folder of results: a-z, 0-9, _ and - only" ;;
    esac
    file=$here/results/$folder/bandwidth.tsv
    if [ -f "$file" ] && [ "$(header "$file" gpu)" != "$gpu" ]; then
        refuse "plots/results/$folder is of another GPU ($(header "$file" gpu))"
    fi
    mkdir -p "$stage/run"

    for name in $names; do
        file=$run/$name.tsv
        [ -f "$file" ] || continue
        check_known_tsv "$file" || exit 2
        case $name in
        bandwidth | sizes | shapes | last_percent)
            # Of the shapes a peer may have failed: then its place is empty.
            bad=$("$here/columns.sh" "$file" status variant step |
                if [ "$name" = shapes ]; then grep -v 'peers$'; else cat; fi |
                sed -n 's/^failed\t\(.*\)\t/\1 of /p' | head -n 1)
            [ -z "$bad" ] || refuse "$file: $bad failed; a run with a failure is not recorded"
            [ "$(header "$file" gpu)" = "$gpu" ] || refuse "$file is of another GPU than bandwidth.tsv" ;;
        counts | dram | caches | timeline | in_flight | halves | halves_counts | exercises)
            if [ -n "$gpu" ] && [ "$(header "$file" gpu)" != "$gpu" ]; then
                echo "$name.tsv was not counted on this GPU: not recorded"
                continue
            fi ;;
        esac
        cp "$file" "$stage/run/" || exit 1
    done
    if [ -n "$gpu" ]; then
        for file in "$run"/raw/*.csv "$run"/raw/*.tsv; do
            [ -f "$file" ] || continue
            [ "$(header "$file" gpu)" = "$gpu" ] || refuse "$file is of another GPU than bandwidth.tsv"
            case $file in *.csv) [ -f "$stage/run/counts.tsv" ] || refuse "$file is there, but no counts.tsv of this GPU" ;; esac
            mkdir -p "$stage/run/raw"
            cp "$file" "$stage/run/raw/" || exit 1
        done
    fi
    target=$folder
    mkdir -p "$results/$folder"
    cp -r "$stage/run/." "$results/$folder/" || exit 1
    if [ -z "$shown" ] && [ -n "$gpu" ]; then shown=$folder; fi
}

mkdir -p "$results" "$made"
cp -r "$here/results/." "$results/" || exit 1
shown=$(cat "$results/shown" 2>/dev/null)
target=''
case ${1:-} in
--help | -h) usage; exit 0 ;;
--check | --refresh)
    [ $# -eq 1 ] || refuse "$1 stands alone"
    if [ "$1" = --check ]; then
        check
        exit
    fi
    make_maps "$stage/maps" || { complain "the bank maps cannot be made; nothing is changed"; exit 1; }
    for file in "$stage"/maps/*.tsv; do put "$file" "$here/results/bank_maps/${file##*/}"; done ;;
--show)
    [ $# -eq 2 ] || refuse "--show needs a folder of plots/results, and nothing else"
    [ -f "$results/$2/bandwidth.tsv" ] || refuse "plots/results/$2 has no bandwidth.tsv"
    shown=$2 ;;
'') refuse "which folder? (see --help)" ;;
-*) refuse "unknown option $1 (see --help)" ;;
*)
    [ $# -le 2 ] || refuse "too many arguments (see --help)"
    [ -d "$1" ] || refuse "$1: no such folder"
    take_run "${1%/}" "${2:-}" ;;
esac
command -v gnuplot >/dev/null || { complain "gnuplot is missing (apt-get install gnuplot-nox); nothing is changed"; exit 1; }

# Everything is made in $stage first, so that a failure leaves the tree as it was.
make_pages
if [ -n "$shown" ]; then
    mkdir -p "$made/plots/results"
    echo "$shown" >"$made/plots/results/shown"
fi
if [ -n "$target" ]; then
    mkdir -p "$made/plots/results/$target"
    cp -r "$stage/run/." "$made/plots/results/$target/" || exit 1
fi
write_pages
[ -z "$target" ] || echo "recorded in plots/results/$target; look at plots/figures and at git diff, then commit"
