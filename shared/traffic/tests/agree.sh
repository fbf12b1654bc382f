#!/bin/bash
# `layout banks` and cpucc say the same of random requests to shared memory.
#
# usage: agree.sh CASES-PROGRAM LAYOUT CPU-PROGRAM [CASES [SEED]]
#
# The first is agree.c, the third agree.cu built by cpucc.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cases_program=$1 layout=$2 cpu=$3
"$cases_program" "${4:-200}" "${5:-1}" >"$work/cases" || fail "$cases_program"
expect 0 "$cpu" <"$work/cases"
cp "$work/out" "$work/cpu"
while IFS=$'\t' read -r tile lanes bytes kind _; do
    arguments=("$tile" --bytes "$bytes" --access "$lanes")
    [ "$kind" = load ] || arguments+=(--store)
    "$layout" banks "${arguments[@]}" |
        sed -n 's/^access .*: requests \([0-9]*\), wavefronts \([0-9]*\), ideal \([0-9]*\),.*/\1 \2 \3/p'
done <"$work/cases" >"$work/layout"
check 'both say something of each case' [ "$(wc -l <"$work/layout")" -eq "${4:-200}" ]
if cmp -s "$work/cpu" "$work/layout"; then
    pass
else
    fail 'layout banks and cpucc disagree: tile, lanes, bytes, kind, elements, cpucc, layout banks'
    paste "$work/cases" "$work/cpu" "$work/layout" | awk -F'\t' '$(NF - 1) != $NF' | head -n 5
fi
finish
