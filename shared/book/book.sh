#!/bin/bash
# Makes the book: see usage below.
set -u
unset CDPATH

usage() {
    cat <<'END'
usage: book.sh [--results DIR] [--programs DIR | --no-players] OUT

Makes one HTML book of the workbook in OUT: lessons, chapters, the pages of the libraries and the
logs, with search, predictions, players of the steps' kernels and the layout bench. Nothing in it
needs a server or a network: open OUT/index.html. Needs cmark-gfm; the bench needs clang, lld and
wasi-libc besides, the players what cpucc needs. What is missing is said, and the rest is made.

  --results DIR   figures of your own runs, taken instead of the recorded ones (DIR/figures)
  --programs DIR  steps that cpucc has built already, as DIR/NN_word, for the players
  --no-players    without the players

Exit status: 0 done, 1 a page could not be made, 2 wrong usage, 3 cmark-gfm is missing.
END
}
stop() {
    echo "book.sh: $2" >&2
    exit "$1"
}

results='' programs='' players=yes out=''
while [ $# -gt 0 ]; do
    case $1 in
    --results | --programs)
        [ -n "${2:-}" ] || stop 2 "$1: a value is needed after it"
        if [ "$1" = --results ]; then results=$(realpath -m -- "$2"); else programs=$(realpath -m -- "$2"); fi
        shift
        ;;
    --no-players) players=no ;;
    --help)
        usage
        exit 0
        ;;
    -*) stop 2 "$1: unknown option (see --help)" ;;
    *)
        [ -z "$out" ] || stop 2 "$1: one folder at a time (see --help)"
        out=$1
        ;;
    esac
    shift
done
[ -n "$out" ] || stop 2 "where to? (see --help)"
command -v cmark-gfm >/dev/null || stop 3 "cmark-gfm is missing; ./run_all.sh --install --book installs it"
mkdir -p -- "$out" 2>/dev/null || stop 1 "$out: cannot write there"
out=$(realpath -- "$out")
cd "$(dirname "$0")/../.." || exit 1
here=shared/book
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
failures=0
failed() {
    failures=$((failures + 1))
    echo "book.sh: $1" >&2
}

# ---- what there is ----

# tree: what a link may lead to, as page.awk reads it.
find . \( -name .git -o -path ./out -o -path ./build -o -name '*.o' -o -name '*.cpu' \) -prune -o \
    \( -type f -printf 'f %P\n' \) -o \( -type d -printf 'd %P\n' \) >"$work/tree"

# title FILE: its first heading, as text.
title() {
    sed -n 's/^# *//p' "$1" | head -n 1 | sed 's/`//g; s/<!--[^>]*-->//g'
}

# chapters FOLDER: its Markdown files beside README.md, in the order in which README.md names them.
chapters() {
    local file
    {
        grep -oE '\]\([a-z_0-9]+\.md' "$1/README.md" | sed 's/.*(//'
        find "$1" -maxdepth 1 -name '*.md' ! -name README.md -printf '%f\n' | LC_ALL=C sort
    } | awk '!seen[$0]++ && $0 != "README.md"' | while IFS= read -r file; do
        [ ! -f "$1/$file" ] || echo "$1/$file"
    done
}

# page GROUP LEVEL FILE: a line of the list of pages.
page() {
    local html=${3%.md}.html
    [ "${3##*/}" != README.md ] || html=${3%README.md}index.html
    grep -qF "	$html	" "$work/pages" ||
        printf '%s\t%s\t%s\t%s\t%s\n' "$3" "$html" "$1" "$2" "$(title "$3")" >>"$work/pages"
}

list_pages() {
    local folder file
    : >"$work/pages"
    page Begin 1 README.md
    for folder in steps/[0-9][0-9]_*; do
        if [ -L "$folder" ] || [ ! -f "$folder/README.md" ]; then continue; fi
        page Steps 1 "$folder/README.md"
        while IFS= read -r file; do page Steps 2 "$file"; done < <(chapters "$folder")
        [ ! -d "$folder/exercises" ] || printf '%s\t%s.html\tSteps\t2\tExercises of step %s\n' \
            "$folder/exercises" "$folder/exercises" "$(basename "$folder" | cut -c 1-2)" >>"$work/pages"
    done
    printf 'bench\tbench.html\tTools\t1\tThe layout bench\n' >>"$work/pages"
    for folder in shared/layout shared/traffic shared/cpucc shared/exercises shared/*; do
        [ -f "$folder/README.md" ] || continue
        page Tools 1 "$folder/README.md"
        while IFS= read -r file; do page Tools 2 "$file"; done < <(chapters "$folder")
    done
    for folder in plots/results plots/results/*; do
        [ -f "$folder/README.md" ] || continue
        page 'Results and logs' 1 "$folder/README.md"
        while IFS= read -r file; do page 'Results and logs' 2 "$file"; done < <(chapters "$folder")
    done
    [ ! -f .github/CONTRIBUTING.md ] || page More 1 .github/CONTRIBUTING.md
}

# shellcheck source=shared/book/players.sh
. shared/book/players.sh

# ---- pages ----

awk_book=(awk -v pages="$work/pages" -f "$here/text.awk" -f "$here/frame.awk")

# write FILE: standard input, into the book.
write() {
    { mkdir -p -- "$out/$(dirname "$1")" && cat >"$out/$1"; } || failed "$1: cannot write"
}

# has_player HTML: 1 if the lesson has one, made before.
has_player() {
    case $1 in
    steps/*/index.html) [ ! -f "$out/${1%index.html}player.html" ] || echo 1 ;;
    esac
}

make_pages() {
    local file html
    find "${results:-/nowhere}/figures" -maxdepth 1 -type f -printf '%f\n' >"$work/own" 2>/dev/null
    : >"$work/uses"
    : >"$work/search"
    while IFS=$'\t' read -r file html _; do
        case $file in
        bench) continue ;;
        */exercises)
            make_exercises "$file"
            continue
            ;;
        esac
        cmark-gfm --unsafe -e table -e strikethrough -e autolink -e tasklist "$file" |
            "${awk_book[@]}" -v page="$file" -v tree="$work/tree" -v uses="$work/uses" \
                -v search="$work/search" -v player="$(has_player "$html")" -v own="$work/own" -f "$here/page.awk" | write "$html"
        [ "${PIPESTATUS[1]}" -eq 0 ] || failed "$file: no page of it could be made"
    done <"$work/pages"
}

make_search() {
    {
        awk -f $here/text.awk -f $here/search.awk "$work/pages"
        cat "$work/search"
        echo ']};'
    } | write search.js
}

# images, files and folders that pages link to.
make_used() {
    local kind file name
    LC_ALL=C sort -u "$work/uses" >"$work/used"
    while read -r kind file; do
        [ "$kind" = folder ] || continue
        while IFS= read -r name; do
            echo "file $file/$name"
        done < <(find "$file" -maxdepth 1 -type f -printf '%f\n')
    done <"$work/used" >"$work/in_folders"
    LC_ALL=C sort -u "$work/used" "$work/in_folders" >"$work/all_used"
    while read -r kind file; do
        case $kind in
        image)
            name=$file
            if [ -n "$results" ] && [ -f "$results/figures/${file##*/}" ]; then
                name=$results/figures/${file##*/}
            fi
            write "$file" <"$name"
            ;;
        file) "${awk_book[@]}" -v file="$file" -f "$here/source.awk" "$file" | write "$file.html" ;;
        folder)
            find "$file" -maxdepth 1 -type f -printf '%f\n' | LC_ALL=C sort |
                "${awk_book[@]}" -v room="$file" -f "$here/folder.awk" | write "$file/index.html"
            ;;
        esac
    done <"$work/all_used"
}

make_exercises() {
    local exercise files=()
    for exercise in "$1"/*/; do
        [ -f "$exercise/task.cu" ] || continue
        files+=("${exercise}task.cu")
        [ ! -f "$exercise/hints.md" ] || files+=("${exercise}hints.md")
    done
    "${awk_book[@]}" -v room="$1" -v search="$work/search" -f "$here/exercises.awk" "${files[@]}" |
        write "$1.html"
}

# shellcheck source=shared/book/bench/bench.sh
. shared/book/bench/bench.sh

list_pages
[ $players = no ] || make_players
make_pages
make_search
make_used
make_bench
cat shared/cpucc/page/colours.css $here/style.css | write style.css
write book.js <$here/book.js
echo "the book: $out/index.html ($(wc -l <"$work/pages") pages)"
[ $failures -eq 0 ]
