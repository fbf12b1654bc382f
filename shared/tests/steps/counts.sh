#!/bin/bash
# The CPU run counts what the counters of each recorded GPU counted, to the last unit.
# usage: counts.sh STEP PROGRAM, the step's program built by cpucc
. "$(dirname "$0")/../checks.sh"
step=$1 program=$2

# counts FILE: its rows, without the ideal, which the hardware does not count.
counts() {
    awk -F '\t' -v columns='step variant rows cols counter requests work' \
        -f "$root/shared/tests/columns.awk" "$1" | grep "^$step "
}
for recorded in "$root"/plots/results/*/counts.tsv; do
    grep -qi '^# gpu: no GPU' "$recorded" && continue
    counts "$recorded" | sort >"$work/hardware"
    while read -r rows cols; do
        expect 0 "$program" --rows "$rows" --cols "$cols" --tsv "$work/counts.tsv"
        counts "$work/counts.tsv" | sort >"$work/counted"
        awk -v rows="$rows" -v cols="$cols" '$3 == rows && $4 == cols' "$work/hardware" >"$work/size"
        comm -23 "$work/size" "$work/counted" >"$work/missing"
        check "$recorded has, and the CPU run has not: $(head -n 5 "$work/missing")" \
            [ ! -s "$work/missing" ]
    done < <(cut -d ' ' -f 3,4 "$work/hardware" | sort -u)
done
[ $passed -gt 0 ] || skip "no recorded counts of $step"
finish
