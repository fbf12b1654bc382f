#!/bin/bash
# A broken kernel is found out: built by cpucc, it ends with status 1, and what its comments declare
# (see broken/broken.h) is reported at that line. usage: broken.sh FILE.cu
. "$(dirname "$0")/../checks.sh"
source=$1
name=$(basename "$source" .cu)
export CPUCC_REPORT=off

expect 0 "$root/shared/cpucc/cpucc" -I"$root/shared" "$source" -o "$work/program"
[ -x "$work/program" ] || finish
expect 1 timeout 60 "$work/program"
mark=$(grep -n 'FAULT: ' "$source")
if [ -n "$mark" ]; then
    line=${mark%%:*}
    ! grep -q '^[0-9]*: *\/\*' <<<"$mark" || line=$((line + 1)) # a line of its own is about the next
    says "^\(.*/\)\?$name\.cu:$line: fault: $(sed 's/.*FAULT: \(.*\) \*\/.*/\1/' <<<"$mark"): "
elif grep -q VERIFY "$source"; then
    says '^wrong: '
    check 'a fault is reported, where only the result is wrong' not grep -q fault: "$work/err"
elif grep -q REFUSED "$source"; then
    says 'refuses this map'
else
    fail "$name.cu declares nothing"
fi
finish
