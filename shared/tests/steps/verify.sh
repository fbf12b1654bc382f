#!/bin/bash
# Verifies every variant of one program at every size that has ever been a trap: single elements,
# odd sides, thin matrices, and sizes at which an offset or a grid would overflow.
# usage: verify.sh PROGRAM. Exit status: 0, 1 a failure, 3 no device.
program=$1
passed=0
failed=0
skipped=0

for size in 1x1 31x33 100x60 1000x1500 1003x777 4096x4096 65536x4096 32768x32768 46341x46341 \
    46344x46344 65540x65540 1x300000000 300000000x1 4x300000000 300000000x4; do
    output=$("$program" --rows "${size%x*}" --cols "${size#*x}" --verify-only 2>&1)
    case $? in
    0) passed=$((passed + 1)) ;;
    3)
        echo "$size skipped: $output"
        case $output in "no CUDA device"*) exit 3 ;; esac
        skipped=$((skipped + 1))
        ;;
    *)
        echo "$size failed:"
        echo "$output"
        failed=$((failed + 1))
        ;;
    esac
done
echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
