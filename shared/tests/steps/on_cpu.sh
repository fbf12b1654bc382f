#!/bin/bash
# Every variant of a step's program is right on the CPU, without a fault, at one element and at ragged
# sizes. usage: on_cpu.sh PROGRAM, built by cpucc
. "$(dirname "$0")/../../traffic/tests/checks.sh"
for size in 1x1 31x33 64x64 100x60 257x129; do
    expect 0 "$1" --rows ${size%x*} --cols ${size#*x}
    check "a fault at $size" not grep -q fault: "$work/out" "$work/err"
done
finish
