#!/bin/bash
# Checks that the lessons (steps/*/README.md), their further chapters (steps/*/*.md), the logs
# (plots/results/*/*.md) and the README tell the truth about what lies beside them. In each file:
#
#   * every line of a ```cuda block stands, word for word, in the step's program or in shared/harness/*.h;
#     a line that is only dots stands for lines left out;
#   * in a ```console block a line `$ COMMAND` is run in the file's folder, with the program `layout`
#     in PATH, and must print the lines up to the next `$` or the end of the block;
#   * every row of a table whose second column is a traffic counter agrees with the recorded counts;
#   * every link to a file leads to one.
#
# And each lesson has its parts: minutes, what to know first, the output's markers, three questions;
# a log's entries (`## 7. ...`) are numbered in order. Tables that plots/record.sh writes are checked by
# plots/record.sh --check.
#
# usage: run.sh [--update]      --update writes what the commands print into the lessons instead.
# Exit status: 0, or 1 if something failed. The last line counts.
cd "$(dirname "$0")/../../.." || exit 1
root=$PWD
update=${1:-}
counts=plots/results/h200/counts.tsv
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

good() { passed=$((passed + 1)); }
bad() {
    failed=$((failed + 1))
    echo "$1"
}

# The program `layout`, built where it does not disturb anything.
have_layout=no
if [ -d shared/layout ] && mkdir -p "$work/shared" "$work/bin" && cp -r shared/layout shared/traffic shared/harness "$work/shared/" &&
    make -s -C "$work/shared/layout" layout >"$work/log" 2>&1; then
    cp "$work/shared/layout/layout" "$work/bin/layout"
    have_layout=yes
elif [ -d shared/layout ]; then
    bad "shared/layout does not build: $(tail -n 1 "$work/log")"
else
    echo "no shared/layout here: its commands are skipped"
fi
PATH=$work/bin:$PATH

# quotes FILE SOURCE...: the lines of its cuda blocks are in the sources.
quotes() {
    local file=$1 line
    shift
    awk '/^```cuda$/ { inside = 1; next } /^```/ { inside = 0 } inside && NF && !/^ *\.\.\.$/' "$file" >"$work/quoted"
    while IFS= read -r line; do
        if grep -Fxqe "$line" -- "$@"; then good; else bad "$file: not in the source: $line"; fi
    done <"$work/quoted"
}

# settle FILE: compares what the last command printed with what the file shows.
settle() {
    [ -n "$command" ] || return
    if [[ $have_layout = no && " $command" =~ [\ \(\|]layout\  ]]; then
        cat "$work/expected" >>"$work/new"
    else
        (cd "$(dirname "$1")" && bash -c "$command") >"$work/actual" 2>&1
        if [ -n "$update" ] || cmp -s "$work/expected" "$work/actual"; then
            good
        else
            bad "$1: \$ $command"
            diff "$work/expected" "$work/actual"
        fi
        cat "$work/actual" >>"$work/new"
    fi
    command=''
}

# commands FILE: runs its console blocks.
# shellcheck disable=SC2094 # the file is written only after it has been read
commands() {
    local file=$1 line block=''
    command=''
    : >"$work/new"
    while IFS= read -r line; do
        case $block:$line in
        'console:```')
            settle "$file"
            block=''
            ;;
        'console:$ '*)
            settle "$file"
            command=${line#\$ }
            : >"$work/expected"
            ;;
        console:*)
            printf '%s\n' "$line" >>"$work/expected"
            continue
            ;;
        ':```console') block=console ;;
        esac
        printf '%s\n' "$line" >>"$work/new"
    done <"$file"
    [ -z "$update" ] || cmp -s "$work/new" "$file" || cp "$work/new" "$file"
}

# tables FILE STEP: rows `| variant | counter | requests | work | work per request |`, 1024 x 1024.
tables() {
    awk -F ' *[|] *' -v step="$2" '
        NR == FNR { split($0, f, "\t"); if (f[1] == step && f[3] == 1024) { requests[f[2], f[5]] = f[6]; work[f[2], f[5]] = f[7] } next }
        $3 ~ /^(global|shared)_(load|store)$|^async_copy_/ {
            variant = $2
            gsub(/`/, "", variant)
            key = variant SUBSEP $3
            ratio = requests[key] ? work[key] / requests[key] : 0
            print ($4 == requests[key] && $5 == work[key] && $6 + 0 == ratio ? "good" : "bad " $0)
        }' "$counts" "$1" >"$work/rows"
    while read -r verdict line; do
        if [ "$verdict" = good ]; then good; else bad "$1: not what $counts says: $line"; fi
    done <"$work/rows"
}

# links FILE: those that lead to files do.
links() {
    local target
    grep -o '](\([^)]*\))' "$1" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^http' >"$work/links"
    while read -r target; do
        if [ -z "$target" ] || [ -e "$(dirname "$1")/$target" ]; then good; else bad "$1: no file $target"; fi
    done <"$work/links"
}

# parts FILE: what every lesson has.
parts() {
    local part
    for part in '^# Step 0[0-7]: ' '^\*\*Time:\*\* about [0-9]* minutes' '^\*\*Know first:\*\* ' '^## Predict$' \
        '^## Questions$' '^## Sources$' '^## What the counters say$' \
        '^<!-- output: begin (plots/record.sh writes this) -->$' '^<!-- output: end -->$'; do
        if [ "$(grep -c "$part" "$1")" -eq 1 ]; then good; else bad "$1: should have once: $part"; fi
    done
    for part in '^<details>' '^</details>$'; do
        if [ "$(grep -c "$part" "$1")" -eq 3 ]; then good; else bad "$1: should have three times: $part"; fi
    done
}

for lesson in steps/*/README.md; do
    folder=$(dirname "$lesson")
    [ ! -L "$folder" ] || continue
    quotes "$lesson" "$folder"/*.cu shared/harness/*.h
    commands "$lesson"
    tables "$lesson" "${folder#steps/}"
    links "$lesson"
    parts "$lesson"
done
for chapter in steps/*/*.md; do
    folder=$(dirname "$chapter")
    if [ -L "$folder" ] || [ "${chapter##*/}" = README.md ]; then continue; fi
    quotes "$chapter" "$folder"/*.cu shared/harness/*.h
    commands "$chapter"
    tables "$chapter" "${folder#steps/}"
    links "$chapter"
done
for log in plots/results/*/*.md; do
    [ -e "$log" ] || continue
    links "$log"
    if awk '/^## [0-9]+\. / { if ($2 + 0 != n++) exit 1 }' "$log"; then good; else bad "$log: entries out of order"; fi
done
cd "$root" || exit 1
commands README.md
links README.md

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
