#!/bin/bash
# Tests a construct of CUDA C: cpucc builds the program that uses it, and the program ends with status 0
# and prints nothing. The file's first line may say CPUCC_DEVICES=N. usage: constructs.sh FILE.cu
. "$(dirname "$0")/../../traffic/tests/checks.sh"
export CPUCC_REPORT=off
CPUCC_DEVICES=$(sed -n '1s/.*CPUCC_DEVICES=\([0-9]\).*/\1/p' "$1")
export CPUCC_DEVICES

expect 0 "$shared/cpucc/cpucc" "$1" -o "$work/program"
[ -x "$work/program" ] || finish
expect 0 timeout 60 "$work/program"
check "it prints: $(head -3 "$work/out" "$work/err")" [ ! -s "$work/out" -a ! -s "$work/err" ]
finish
