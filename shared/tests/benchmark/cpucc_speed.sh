#!/bin/bash
# How fast cpucc compiles and counts: seconds to compile a program, counted accesses (of one lane
# each) a second on one core. usage: cpucc_speed.sh; prints figures.
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cpucc=$here/../../cpucc/cpucc
"$cpucc" "$here/cpucc_speed.cu" -o "$work/speed" || exit 1 # builds cpucc's tools, if need be
TIMEFORMAT='%U seconds of processor time to compile it'
time "$cpucc" "$here/cpucc_speed.cu" -o "$work/speed"
CPUCC_REPORT=off "$work/speed"
