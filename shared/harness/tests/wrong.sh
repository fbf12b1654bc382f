#!/bin/bash
# The verifier can fail: runs the deliberately wrong kernels of wrong.cu and compares what is
# reported, word for word. usage: wrong.sh PROGRAM
set -u
# shellcheck source=../../traffic/tests/checks.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
program=$1

# reported VARIANT STATUS PATTERN: the exit status, and all of standard error.
reported() {
    expect "$2" "$program" --rows 100 --cols 60 --variant "$1" --verify-only
    # shellcheck disable=SC2053  # $3 is meant as a pattern
    if [[ $(cat "$work/err") == $3 ]]; then pass; else fail "$1 said: $(cat "$work/err")"; fi
}

"$program" --size 1 --verify-only >/dev/null 2>"$work/err"
if [ $? -eq 3 ]; then
    skip "$(cat "$work/err")"
    finish
fi
reported right 0 ''
reported one_wrong 1 'one_wrong: 1 of 6000 elements differ; the first is row 5, column 7: expected bits 0x????????, actual 0x00000000'
reported tile_missing 1 'tile_missing: 896 of 6000 elements differ; the first is row 32, column 32: expected bits 0x????????, untouched'
reported past_end 1 'past_end: 1 elements were written outside the matrix; the first is 3 past its end'
reported before_start 1 'before_start: 1 elements were written outside the matrix; the first is 1 before its start'
reported swapped 1 'swapped: 5998 of 6000 elements differ; the first is row 0, column 1: expected bits 0x????????, actual 0x????????'
reported input_touched 1 'input_touched: 1 elements of the input were overwritten; the first is index 3'
finish
