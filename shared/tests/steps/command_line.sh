#!/bin/bash
# The command line of a step's program: what needs no device, and every wrong usage.
# usage: command_line.sh PROGRAM
. "$(dirname "$0")/../../traffic/tests/checks.sh"
program=$1
folder=$work/folder # stays empty
mkdir "$folder"

# refused PATTERN ARGUMENT...: passes if the program ends with 2, prints nothing on standard output, and
# on standard error one line that matches the pattern.
refused() {
    local pattern=$1
    shift
    expect 2 "$program" "$@"
    check "$*: standard output: $(cat "$work/out")" [ ! -s "$work/out" ]
    check "$*: not one line: $(cat "$work/err")" [ "$(wc -l <"$work/err")" -eq 1 ]
    check "$*: it says: $(cat "$work/err")" like "$(cat "$work/err")" "$pattern"
}

# like TEXT PATTERN
# shellcheck disable=SC2254  # the pattern is meant as one
like() { case $1 in $2) ;; *) return 1 ;; esac; }

expect 0 "$program" --list
first=$(head -n 1 "$work/out")
check 'the list is empty' [ -n "$first" ]
expect 0 "$program" --help
says 'usage:.*--size'

refused '*unknown option*' --frobnicate
refused '*unknown option*' 4096
refused '--size 0: a whole number from 1 to 2147483647 is needed' --size 0
refused '--size -5: *' --size -5
refused '--size 12abc: *' --size 12abc
refused '--size : *' --size ''
refused '--size 999999999999: *' --size 999999999999
refused '--rows 2147483648: *' --rows 2147483648 --cols 1
refused '--size: a value is needed after it' --size
refused '--size excludes*' --size 64 --rows 64 --cols 64
refused '--rows and --cols come together' --rows 64
refused '--rows and --cols come together' --cols 64
refused '--rounds 0: *' --rounds 0
refused '--device -1: *' --device -1
refused "--variant nonesuch: no such variant; there are: $first*" --variant nonesuch
refused '--tsv *: cannot write there: No such file or directory' --tsv "$folder/none/x.tsv"
refused '--tsv *: is a folder*' --tsv "$folder"
refused '--tsv *: cannot write there: the name is empty' --tsv ''
refused '--tsv *: cannot write there*' --tsv "$first/x.tsv"

# A named variant that is illegal at this size is refused.
for variant in $("$program" --list); do
    case $variant in
    vec2*) refused "--variant $variant: cannot run at 3 x 8*multiples of 2" \
        --variant "$variant" --rows 3 --cols 8 ;;
    vec4* | registers* | tma_* | tensor) refused "--variant $variant: cannot run at 8 x 6*multiples of *" \
        --variant "$variant" --rows 8 --cols 6 ;;
    esac
done

# A usage error changes no results file and leaves no other file.
echo kept >"$folder/old.tsv"
refused '*whole number*' --tsv "$folder/old.tsv" --size 0
check 'old.tsv changed' [ "$(cat "$folder/old.tsv")" = kept ]
left=$(find "$folder" -type f ! -name old.tsv)
check "left behind: $left" [ -z "$left" ]

# A size that no device can hold, or no device: status 3 and one line.
expect 3 "$program" --size 2147483647
check "not one line: $(cat "$work/err")" [ "$(wc -l <"$work/err")" -eq 1 ]

# --guide, where a program has it, ends with 0, or with 3 where the program cannot run.
if "$program" --help | grep -q -e --guide; then
    "$program" --guide >"$work/out" 2>"$work/err"
    case $? in
    0 | 3) pass ;;
    *) fail "--guide: $(cat "$work/err")" ;;
    esac
fi
finish
