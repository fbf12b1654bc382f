#!/bin/bash
# compute-sanitizer's four tools find nothing in any variant of a program at ragged sizes.
# usage: sanitize.sh PROGRAM. Exit status: 0, 1 a finding, 3 no device or no compute-sanitizer.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
program=$1

command -v compute-sanitizer >/dev/null || { skip "compute-sanitizer is not installed"; finish; }
"$program" --size 4 --verify-only >/dev/null 2>&1
[ $? -ne 3 ] || { skip "no CUDA device"; finish; }

for tool in memcheck racecheck initcheck synccheck; do
    for size in 100x60 257x129 132x260; do
        expect 0 compute-sanitizer --tool $tool --error-exitcode 9 "$program" \
            --rows ${size%x*} --cols ${size#*x} --verify-only
    done
done
finish
