#!/bin/bash
# Tests that cpucc refuses each unsupported construct in refused.cu with its name and line. usage: refused.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
source=$shared/cpucc/tests/refused.cu
parts=() marks=()
mapfile -t parts < <(sed -n 's/^#ifdef //p' "$source")
mapfile -t marks < <(grep -no 'REFUSED: .* \*/' "$source" | sed 's/REFUSED: //; s/ \*\/$//')
check "${#parts[@]} parts, ${#marks[@]} marks" [ ${#parts[@]} -gt 0 -a ${#parts[@]} -eq ${#marks[@]} ]
for ((i = 0; i < ${#parts[@]}; i++)); do
    expect 1 "$shared/cpucc/cpucc" "-D${parts[i]}" "$source" -o "$work/program"
    says "refused\.cu:${marks[i]%%:*}:"
    says "error:.*${marks[i]#*:}"
done
finish
