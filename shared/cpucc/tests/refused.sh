#!/bin/bash
# What cpucc has no counterpart for is refused when it is compiled, with file, line and name: the
# line that says `REFUSED: NAME`, and that name. usage: refused.sh FILE.cu
. "$(dirname "$0")/../../traffic/tests/checks.sh"
source=$1
mark=$(grep -n 'REFUSED: ' "$source")
line=${mark%%:*}
name=$(sed 's/.*REFUSED: \(.*\) \*\/.*/\1/' <<<"$mark")

expect 1 "$root/shared/cpucc/cpucc" "$source" -o "$work/program"
says "$(basename "$source" .cu)\.cu:$line:"
says "error:.*$name"
finish
