#!/bin/bash
# Runs every variant of one program under compute-sanitizer's four tools at ragged sizes.
# usage: sanitize.sh PROGRAM. Exit status: 0, 1 a finding, 3 no device or no compute-sanitizer.
program=$1
passed=0
failed=0

command -v compute-sanitizer >/dev/null || { echo "compute-sanitizer is not installed"; exit 3; }
"$program" --size 4 --verify-only >/dev/null 2>&1
[ $? -eq 3 ] && { echo "no CUDA device"; exit 3; }

for tool in memcheck racecheck initcheck synccheck; do
    for size in 100x60 257x129 132x260; do
        output=$(compute-sanitizer --tool $tool --error-exitcode 9 "$program" \
            --rows "${size%x*}" --cols "${size#*x}" --verify-only 2>&1)
        status=$?
        if [ $status -eq 0 ]; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$tool at $size: exit status $status"
            echo "$output" | tail -40
        fi
    done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
