#!/bin/bash
# Every variant of a program is right at single elements, odd sides, narrow matrices, and sizes at which
# a 32-bit offset or a grid would overflow.
# usage: verify.sh PROGRAM. Exit status: 0, 1 a failure, 3 no device.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
program=$1

for size in 1x1 31x33 100x60 1000x1500 1003x777 4096x4096 65536x4096 32768x32768 46341x46341 \
    46344x46344 65540x65540 1x300000000 300000000x1 4x300000000 300000000x4; do
    "$program" --rows ${size%x*} --cols ${size#*x} --verify-only >"$work/out" 2>&1
    case $? in
    0) pass ;;
    3)
        skip "$size: $(cat "$work/out")"
        ! grep -q '^no CUDA device' "$work/out" || finish
        ;;
    *)
        fail "$size:"
        cat "$work/out"
        ;;
    esac
done
finish
