#!/bin/bash
# The command line of one step program: what needs no device, and every way to get it wrong.
# usage: command_line.sh PROGRAM. Exit status: 0, or 1 if anything differs from the contract.
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
passed=0
failed=0

fail() {
    failed=$((failed + 1))
    echo "$(basename "$program") $*"
}

# refused PATTERN ARGUMENT...: exit status 2, nothing on standard output, and one line on standard
# error that matches the pattern.
refused() {
    local pattern=$1 output errors status
    shift
    output=$("$program" "$@" 2>"$folder/errors")
    status=$?
    errors=$(cat "$folder/errors")
    # shellcheck disable=SC2053  # the pattern is meant as one
    if [ $status -eq 2 ] && [ -z "$output" ] && [ "$(wc -l <"$folder/errors")" -eq 1 ] &&
        [[ $errors == $pattern ]]; then
        passed=$((passed + 1))
    else
        fail "$*: exit status $status, said: $output$errors"
    fi
}

first=$("$program" --list | head -1)
if "$program" --list >/dev/null && [ -n "$first" ]; then passed=$((passed + 1)); else fail --list; fi
if "$program" --help | grep -q 'usage:.*--size'; then passed=$((passed + 1)); else fail --help; fi

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

# A variant that is illegal at this size is refused by name (every program lists those it has).
for variant in $("$program" --list); do
    case $variant in
    vec2*) refused "--variant $variant: cannot run at 3 x 8*multiples of 2" \
        --variant "$variant" --rows 3 --cols 8 ;;
    vec4* | registers* | tma_* | tensor) refused "--variant $variant: cannot run at 8 x 6*of 4" \
        --variant "$variant" --rows 8 --cols 6 ;;
    esac
done

# A usage error leaves an existing results file alone, and no other file behind.
echo kept >"$folder/old.tsv"
refused '*whole number*' --tsv "$folder/old.tsv" --size 0
if [ "$(cat "$folder/old.tsv")" = kept ]; then passed=$((passed + 1)); else fail 'old.tsv changed'; fi
# errors is this script's own.
left=$(find "$folder" -type f ! -name errors ! -name old.tsv)
if [ -z "$left" ]; then passed=$((passed + 1)); else fail "left behind: $left"; fi

# A size that no device can hold, or no device at all: status 3 and one line.
"$program" --size 2147483647 >/dev/null 2>"$folder/errors"
status=$?
if [ $status -eq 3 ] && [ "$(wc -l <"$folder/errors")" -eq 1 ]; then
    passed=$((passed + 1))
else
    fail "--size 2147483647: exit status $status, said: $(cat "$folder/errors")"
fi

# The programs that show a guide show it where they can run.
if "$program" --help | grep -q -e --guide; then
    "$program" --guide >"$folder/guide" 2>"$folder/errors"
    case $? in
    0 | 3) passed=$((passed + 1)) ;;
    *) fail "--guide: exit status $?, said: $(cat "$folder/errors")" ;;
    esac
fi

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
