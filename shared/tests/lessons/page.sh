#!/bin/bash
# Checks that a page (a lesson, a chapter, a log, a README) tells the truth about what lies beside it:
#
#   * the lines of a ```cuda block stand in the step's program, word for word and in that order, without
#     a gap; a line that is only dots stands for lines left out. "```cuda shared/harness/ptx.h" quotes
#     that file instead;
#   * in a ```console block a line `$ COMMAND` is run in the page's folder, with the program `layout`
#     in PATH, and must print the lines up to the next `$` or the end of the block;
#   * a figure in a step's page or in the README has a comment that says where it was recorded
#     (plots/quote.sh --help), and is what was recorded; where a comment compares two variants, the page
#     names both;
#   * every row of a table whose second column is a traffic counter agrees with the recorded counts;
#   * every link to a file leads to one;
#   * a lesson has its parts: minutes, what to know first, links to its neighbours, a prediction,
#     something to try, three questions; results come after the prediction, folded, and no figure of
#     the step's own variants before it;
#   * a log's entries (`## 7. ...`) are numbered in order.
#
# Other tables that plots/record.sh writes are checked by plots/record.sh --check.
#
# usage: page.sh [--update] FILE [FOLDER [PROGRAM]]
#
# FOLDER holds the program `layout` (left out: it is built), PROGRAM is the step's, built for the CPU
# (left out: make builds it where a command needs it). --update writes what the commands print into
# the page.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
update=no
if [ "${1:-}" = --update ]; then update=yes && shift; fi
page=$(realpath "$1")
folder=$(dirname "$page")
name=${page#"$root"/}
case $name in steps/*/*) step=$(basename "$folder") ;; *) step='' ;; esac

program_built=${3:-}
if [ -n "${2:-}" ]; then
    PATH=$2:$PATH
else
    mkdir "$work/shared"
    cp -r "$root"/shared/{layout,traffic} "$work/shared"
    check "shared/layout does not build" make -s -C "$work/shared/layout" layout
    PATH=$work/shared/layout:$PATH
fi

# ---- quotes ----

# The program of this page's step, which blocks quote that name no file.
program=
[ -z "$step" ] || program=steps/$step/$(sed -n 's/^PROGRAM *:= *//p' "$folder/Makefile").cu
awk -v program="$program" -v root="$root" '
    function source(file,    line, n) { # reads a file, without its empty lines
        if (file in lines)
            return
        lines[file] = 0
        while ((getline line < (root "/" file)) > 0)
            if (line !~ /^ *$/)
                text[file, ++lines[file]] = line
    }
    function group(    at, i) { # finds the lines of `quoted` after the last ones
        for (at = after + 1; at + count - 1 <= lines[file]; at++) {
            for (i = 1; i <= count && text[file, at + i - 1] == quoted[i]; i++)
                ;
            if (i > count) {
                after = at + count - 1
                print "good"
                return
            }
        }
        if (count)
            print NR ": not in " file ", in this order: " quoted[1] (count > 1 ? " ..." : "")
    }
    /^```cuda/ { inside = 1; file = NF > 1 ? $2 : program; source(file); after = count = 0; next }
    inside && (/^```/ || /^ *\.\.\.$/) { group(); count = 0; inside = !/^```/; next }
    inside && NF { quoted[++count] = $0 }' "$page" >"$work/quotes"
while IFS= read -r line; do
    check "$name:$line" [ "$line" = good ]
done <"$work/quotes"

# ---- commands ----

# A step's program for the CPU that is built already need not be built by make.
fresh_program() {
    local place
    [ -x "${program_built:-}" ] || return 0
    place=$folder/$(sed -n 's/^PROGRAM *:= *//p' "$folder/Makefile").cpu
    cmp -s "$program_built" "$place" || { cp "$program_built" "$place.$$" && mv -f "$place.$$" "$place"; }
    touch "$place"
}

# settle: compares what the last command printed with what the page shows. One page of a folder at a
# time runs make there.
settle() {
    [ -n "$command" ] || return
    case $command in
    *make*cpu*) (exec 9<"$folder" && flock 9 && fresh_program && cd "$folder" && bash -c "$command") ;;
    *) (cd "$folder" && bash -c "$command") ;;
    esac >"$work/actual" 2>&1 </dev/null
    [ $update = yes ] || check "$name: \$ $command" diff "$work/expected" "$work/actual"
    cat "$work/actual" >>"$work/new"
    command=''
}

block='' command=''
: >"$work/new"
while IFS= read -r line; do
    case $block:$line in
    'console:```')
        settle
        block=''
        ;;
    'console:$ '*)
        settle
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
done <"$page"
if [ $update = yes ] && ! cmp -s "$work/new" "$page"; then cp "$work/new" "$page"; fi

# ---- figures ----

case $name in
README.md | plots/results/README.md | plots/results/*/lessons.md | steps/*)
    # bare: figures that say not where they come from. A figure that does is an @ here. Programs, what a
    # script writes between markers and tables with counters are checked elsewhere.
    awk '
        /^```/ { fenced = !fenced; next }
        /^<!-- .*: begin \(/ { written = 1 }
        /^<!-- .*: end -->$/ { written = 0 }
        fenced || written { next }
        {
            line = $0
            gsub(/[0-9]+(\.[0-9]+)?<!--[^>]*-->/, "@", line)
            gsub(/(^|[^0-9.@])100 %|1 GB is 1e9 bytes/, "", line)
            gsub(/`[^`]*`|[A-Za-z]+[0-9]+/, "", line)
            gsub(/\]\([^)]*\)/, "]", line)
            while (match(line, /[0-9@.]+((,|,? and|,? or| to| against| →) [0-9@.]+)* ?(%|percent|GB\/s|TB\/s|GB|ms|us|ns|points?|times as|of the copy)([^A-Za-z]|$)/)) {
                if (substr(line, RSTART, RLENGTH) ~ /[0-9]/)
                    print FNR ": " substr(line, RSTART, RLENGTH)
                line = substr(line, RSTART + RLENGTH)
            }
        }' "$page" >"$work/bare"
    case $name in */lessons.md) : >"$work/bare" ;; esac # predictions are figures of ours
    while IFS= read -r line; do
        fail "$name:$line: a figure that does not say where it was recorded (plots/quote.sh --help)"
    done <"$work/bare"
    expect 0 "$root/plots/quote.sh" "$page" --pairs "$work/pairs"
    check "$name: figures are not what was recorded: plots/record.sh --refresh writes them" \
        diff "$page" "$work/out"
    if [ -f "$work/pairs" ]; then
        while read -r line variant; do
            check "$name:$line: compares with $variant, which the page does not name" \
                grep -qF "\`$variant\`" "$page"
        done <"$work/pairs"
    fi
    ;;
esac

# ---- tables: rows `| variant | counter | requests | work | work per request |`, at 1024 x 1024 ----

if [ -n "$step" ]; then
    "$root/plots/columns.sh" "$root/plots/results/h200/counts.tsv" step rows variant counter requests work |
        tr '\t' ' ' | grep "^$step 1024 " >"$work/recorded"
    awk -F ' *[|] *' '
        NR == FNR { split($0, f, " "); requests[f[3], f[4]] = f[5]; work[f[3], f[4]] = f[6]; next }
        $3 ~ /^(global|shared)_(load|store)$|^async_copy_/ {
            variant = $2
            gsub(/`/, "", variant)
            key = variant SUBSEP $3
            ratio = requests[key] ? work[key] / requests[key] : 0
            good = key in work && $4 == requests[key] && $5 == work[key] && $6 + 0 == ratio
            print (good ? "good" : $0)
        }' "$work/recorded" "$page" >"$work/rows"
    while IFS= read -r line; do
        check "$name: not what was recorded: $line" [ "$line" = good ]
    done <"$work/rows"
fi

# ---- links ----

grep -o '](\([^)]*\))' "$page" | sed 's/^](//; s/)$//; s/#.*//' | grep -v '^https\?:' >"$work/links"
while read -r target; do
    check "$name: no file $target" [ -z "$target" -o -e "$folder/$target" ]
done <"$work/links"

# ---- parts ----

# times NUMBER PATTERN: the page has so many lines that match.
times() { check "$name: should be there $1 times: $2" [ "$(grep -c -e "$2" "$page")" -eq "$1" ]; }
case $name in
steps/*/README.md)
    times 1 "^# Step ${step%%_*}: "
    for part in '^\*\*Time:\*\* about [0-9]* minutes' '^\*\*Know first:\*\* ' '^## Predict$' '^## Try this$' \
        '^## Questions$' '^## Sources$' '^## What the counters say$' \
        '^<!-- output: begin (plots/record.sh writes this) -->$' '^<!-- output: end -->$'; do
        times 1 "$part"
    done
    check "$name: fewer than three questions with answers" \
        [ "$(sed -n '/^## Questions$/,/^## Exercises$/p' "$page" | grep -c '^<details>')" -ge 3 ]
    check "$name: <details> and </details> do not match" \
        [ "$(grep -c '^<details>' "$page")" -eq "$(grep -c '^</details>$' "$page")" ]
    # The way through the book: one line below the title.
    head -n 3 "$page" >"$work/way"
    check "$name: no link to the contents in its third line" grep -qF '](../../README.md)' "$work/way"
    before=$(cd "$root/steps" && for other in [0-9]*/; do [ -L "${other%/}" ] || echo "${other%/}"; done |
        sort | awk -v step="$step" '$0 == step { print before } { before = $0 }')
    [ -z "$before" ] ||
        check "$name: no link back in its third line" grep -qF "](../$before/README.md)" "$work/way"
    # What spoils the prediction: results before it, or unfolded.
    awk -v step="$step" -F '\t' '
        NR == FNR { if ($1 == step) own[$2]; next }
        /^## Predict$/ { predicted = 1 }
        /^<details>/ { folded = 1 }
        /^<\/details>$/ { folded = 0 }
        /^<!-- (output|rows .*): begin/ && !(predicted && folded) { print FNR ": results before the prediction, or unfolded" }
        /^\|.*\| *(global|shared)_(load|store) *\|/ && !(predicted && folded) { print FNR ": counters before the prediction, or unfolded" }
        !predicted {
            line = $0
            while (match(line, /[0-9]<!--[^>]*-->/)) {
                n = split(substr(line, RSTART + 5, RLENGTH - 8), word, /[ :@#]/)
                for (i = 1; i <= n; i++) if (word[i] in own) print FNR ": a figure of " word[i] " before the prediction"
                line = substr(line, RSTART + RLENGTH)
            }
        }' "$root/plots/results/$(cat "$root/plots/results/shown")/bandwidth.tsv" "$page" >"$work/spoilers"
    while IFS= read -r line; do fail "$name:$line"; done <"$work/spoilers"
    ;;
plots/results/*)
    check "$name: entries out of order" awk '/^## [0-9]+\. / { if (n && $2 + 0 != n) exit 1; n = $2 + 1 }' "$page"
    ;;
esac
[ $((passed + failed)) -gt 0 ] || pass # a page that claims nothing
finish
