#!/bin/sh
# The verifier can fail: runs the deliberately wrong kernels of wrong.cu and compares what is
# reported, word for word. usage: wrong.sh PROGRAM. Exit status: 0, 1 a difference, 3 no device.
program=$1
passed=0
failed=0

# expect VARIANT STATUS TEXT: the exit status, and a line on standard error (a pattern, or none).
expect() {
    errors=$("$program" --rows 100 --cols 60 --variant "$1" --verify-only 2>&1 >/dev/null)
    status=$?
    if [ $status -eq 3 ]; then
        echo "skipped: $errors"
        exit 3
    fi
    # shellcheck disable=SC2254  # $3 is meant as a pattern
    case $errors in
    $3) text=right ;;
    *) text=wrong ;;
    esac
    if [ $status -eq "$2" ] && [ $text = right ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: exit status $status (expected $2), said: $errors"
    fi
}

expect right 0 ''
expect one_wrong 1 'one_wrong: 1 of 6000 elements differ; the first is row 5, column 7: expected 0x????????, actual 0x00000000'
expect tile_missing 1 'tile_missing: 896 of 6000 elements differ; the first is row 32, column 32: expected 0x????????, untouched'
expect past_end 1 'past_end: 1 elements were written outside the matrix; the first is 3 past its end'
expect before_start 1 'before_start: 1 elements were written outside the matrix; the first is 1 before its start'
expect swapped 1 'swapped: 5998 of 6000 elements differ; the first is row 0, column 1: expected 0x????????, actual 0x????????'
expect input_touched 1 'input_touched: 1 elements of the input were overwritten; the first is index 3'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
