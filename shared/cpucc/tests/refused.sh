#!/bin/bash
# Tests that cpucc refuses each unsupported construct in refused.cu with its name and line, whatever words the
# installed clang has for it. usage: refused.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
source=$shared/cpucc/tests/refused.cu
parts=() marks=()
mapfile -t parts < <(sed -n 's/^#ifdef //p' "$source")
check 'no parts' [ ${#parts[@]} -gt 0 ]
for part in "${parts[@]}"; do
    mapfile -t marks < <(sed -n "/^#ifdef $part\$/,/^#endif/{=;p}" "$source" | sed 'N;s/\n/:/' |
        sed -n 's/^\([0-9]*\):.*REFUSED: \(.*\) \*\/.*/\1:\2/p')
    check "$part: no mark" [ ${#marks[@]} -gt 0 ]
    expect 1 "$shared/cpucc/cpucc" "-D$part" "$source" -o "$work/program"
    for mark in "${marks[@]}"; do
        says "refused\.cu:${mark%%:*}:"
        says "error:.*${mark#*:}"
    done
    [ ${#marks[@]} = 1 ] || check "$part: other lines" [ "$(wc -l <"$work/err")" = ${#marks[@]} ]
done

# clang 22's words for a launch in device code.
echo 'a.cu:2:3: error: kernel launch from __device__ or __global__ function requires relocatable device code (x)' >"$work/said"
expect 0 sed -E -f "$shared/cpucc/messages.sed" "$work/said"
says '^a\.cu:2:3: error: cpucc: launching a kernel .* not supported: launch from the host$'
finish
