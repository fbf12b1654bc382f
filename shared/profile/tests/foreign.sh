#!/bin/bash
# The record of foreign kernels: at least 95 of 100 counts equal, a reason for each other one; what is
# not so is noticed, and cpucc's counts are taken from reports. usage: foreign.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
tool=$root/shared/profile/foreign.sh
record=$root/plots/results/h200/foreign_counts.tsv

expect 0 "$tool" "$record"
says '^[0-9]* of [0-9]* counts equal (\(9[5-9]\|100\)\.[0-9] %)'
# Most of those that differ are marked in the report, and few of the others.
check 'marks' awk '/ are marked in the report, / {
        exit !($1 * 5 >= $4 * 3 && $13 * 20 <= $16)
    }' "$work/out"
check "cpucc's README has other shares: shared/profile/foreign.sh $record --write" \
    cmp -s <(sed -n "1,2s,^,* ,p" "$work/out") \
    <(sed -n '/^<!-- counts -->$/,/^<!-- end -->$/{/^<!--/!p}' "$root/shared/cpucc/README.md")
awk -F '\t' -v OFS='\t' '!/^#/ && $12 == $14 && !done++ { $14 = $12 + 1 } { print }' "$record" |
awk -F '\t' -v OFS='\t' '/^#/ || $1 == "run" { print; next } { $14 += !n++; print }' "$record" \
    >"$work/record.tsv"
expect 1 "$tool" "$work/record.tsv"
says 'NO REASON'
read -r run kernel launch counter < <("$root/plots/columns.sh" "$record" run kernel launch counter | head -n 1)
printf 'kernel\tlaunch\tgrid\tblock\tcounter\trequests\twork\tideal_work\n' >"$work/$run.tsv"
printf '%s\t%s\t1,1,1\t1,1,1\t%s\t77\t78\t1\n' "$kernel" "$launch" "$counter" >>"$work/$run.tsv"
expect 0 "$tool" "$record" "$work/$run.tsv"
mv "$work/out" "$work/joined"
check 'as many rows' test "$(wc -l <"$work/joined")" -eq "$(wc -l <"$record")"
check 'the counts of the report' grep -q "$(printf '\t77\t78\t')" "$work/joined"
expect 2 "$tool"
finish
