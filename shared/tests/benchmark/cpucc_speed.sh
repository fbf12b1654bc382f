#!/bin/bash
# How fast cpucc compiles and counts: seconds of processor time to compile programs, and counted
# accesses (of one lane each) a second on one core, by a kernel alone and by all variants of a step,
# at 1024 x 1024, their verification included. usage: cpucc_speed.sh [PROGRAM.cu of a step];
# prints figures.
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cpucc=$root/shared/cpucc/cpucc
step=${1:-$(ls "$root"/steps/06_*/*.cu)}

"$cpucc" "$here/cpucc_speed.cu" -o "$work/speed" || exit 1 # builds cpucc's tools, if need be
TIMEFORMAT='%U seconds of processor time to compile a kernel'
time "$cpucc" "$here/cpucc_speed.cu" -o "$work/speed"
CPUCC_REPORT=off "$work/speed"
TIMEFORMAT="%U seconds of processor time to compile $(basename "$step")"
time "$cpucc" -I"$root/shared" "$step" -o "$work/step" || exit 1
TIMEFORMAT=%U
seconds=$({ time "$work/step" --size 1024 --tsv "$work/counts.tsv" >"$work/out" 2>&1; } 2>&1) ||
    { cat "$work/out"; exit 1; }
"$root/plots/columns.sh" "$work/counts.tsv" requests |
    awk -v seconds="$seconds" -v of="$(basename "$step")" '{n += 32 * $1}
        END {printf "%.1f million counted accesses a second by all of %s\n", n / seconds / 1e6, of}'
