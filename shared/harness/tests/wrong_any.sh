#!/bin/bash
# The verifier sees what is wrong with elements of every size, batches, pitches and offsets: runs the
# deliberately wrong kernels of wrong_any.cu. usage: wrong_any.sh PROGRAM
set -u
# shellcheck source=../../traffic/tests/checks.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
program=$1

# reported VARIANT STATUS PATTERN OPTION...: the exit status, and all of standard error.
reported() {
    local variant=$1 status=$2 pattern=$3
    shift 3
    expect "$status" "$program" --rows 20 --cols 12 --variant "$variant" --verify-only "$@"
    # shellcheck disable=SC2053  # it is meant as a pattern
    if [[ $(cat "$work/err") == $pattern ]]; then pass; else fail "$variant $*: $(cat "$work/err")"; fi
}

"$program" --size 1 --verify-only --variant right >/dev/null 2>"$work/err"
if [ $? -eq 3 ]; then
    skip "$(cat "$work/err")"
    finish
fi
for bytes in 1 2 4 8 16; do
    digits=$(printf '?%.0s' $(seq $((2 * bytes))))
    any=(--element-bytes "$bytes" --batches 3 --in-pitch 15 --out-pitch 27 --offset 5)
    reported right 0 '' "${any[@]}"
    check "figures of $bytes bytes" grep -q "3 times 20 x 12" "$work/out"
    reported one_wrong 1 "one_wrong: 1 of 720 elements differ; the first is matrix 1, row 5, column 7: \
expected bits 0x$digits, actual 0x11*" "${any[@]}"
    reported untouched 1 "untouched: 1 of 720 elements differ; the first is matrix 1, row 5, column 7: \
expected bits 0x$digits, untouched" "${any[@]}"
    reported gap 1 'gap: 1 elements between the rows were overwritten; the first is 2 past the end of row 3' \
        "${any[@]}"
    reported past_end 1 'past_end: 1 elements were written outside the matrix; the first is 2 past its end' \
        "${any[@]}"
    reported before_start 1 \
        'before_start: 1 elements were written outside the matrix; the first is 1 before its start' "${any[@]}"
    reported batches 1 'batches: 4?? of 720 elements differ; the first is matrix 0, row 0, column *' "${any[@]}"
    reported far 1 'far: 6?? of 720 elements differ; *' "${any[@]}"
    reported input_touched 1 'input_touched:*of the input were overwritten; the first is index 3' "${any[@]}"
done

# Twice, for the smallest: the second time sees what the first could not.
expect 0 "$program" --size 40 --element-bytes 2 --variant refuses_bytes --tsv "$work/two.tsv"
expect 2 "$program" --size 40 --element-bytes 1 --variant refuses_bytes
says '^--variant refuses_bytes: cannot run at 40 x 40: no bytes$'
"$program" --size 40 --batches 2 --element-bytes 1 >"$work/out" 2>/dev/null
check "skipped with its reason" grep -q '^refuses_bytes skipped: no bytes$' "$work/out"

# usage NAME...: one line, status 2.
usage() {
    local pattern=$1
    shift
    expect 2 "$program" "$@"
    check "$*: one line" [ "$(wc -l <"$work/err")" -eq 1 ]
    says "$pattern"
}
usage '^--element-bytes 3: 1, 2, 4, 8 or 16 is needed$' --element-bytes 3
usage '^--element-bytes 32: ' --element-bytes 32
usage '^--element-bytes 0: ' --element-bytes 0
usage '^--batches 0: ' --batches 0
usage '^--batches: a value is needed after it$' --batches
usage '^--offset -1: ' --offset -1
usage '^--in-pitch 7: a row of the input has 8 elements$' --rows 4 --cols 8 --in-pitch 7
usage '^--out-pitch 3: a row of the output has 4 elements$' --rows 4 --cols 8 --out-pitch 3
usage '^--in-pitch: comes with --size' --in-pitch 7
expect 0 "$program" --help
says '--element-bytes B  elements of'
finish
