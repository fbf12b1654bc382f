#!/bin/bash
# compute-sanitizer's four tools find nothing in random calls of the library. usage: sanitize.sh PROGRAM
# Exit status: 0, 1 a finding, 3 no device or no compute-sanitizer.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
command -v compute-sanitizer >/dev/null || { skip "compute-sanitizer is not installed"; finish; }
"$1" fuzz 0 >/dev/null 2>&1
[ $? -ne 3 ] || { skip "no CUDA device"; finish; }
for tool in memcheck racecheck initcheck synccheck; do
    expect 0 compute-sanitizer --tool $tool --error-exitcode 9 "$1" fuzz 300
done
finish
