#!/bin/bash
# Tests the record of foreign kernels: at least 95 % of the counts are equal, most others are marked, and each
# difference has a reason. Also tests that foreign_counts.py notices violations and reads reports.
# usage: foreign_counts.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
tool=$root/shared/cpucc/tests/foreign_counts.py
record=$root/shared/cpucc/tests/foreign_counts.tsv

expect 0 "$tool" "$record"
says '^[0-9]* of [0-9]* counts equal (\(9[5-9]\|100\)\.[0-9] %)'
expect 0 "$tool" "$record" --check
header=$(grep -m 1 -v '^#' "$record")
row=$(grep -v '^#' "$record" | sed -n 2p)
cut -f 1-13 <<<"$row" | sed "s/\$/\t77\t-\t-/" >"$work/row"
{ echo "$header"; cat "$work/row"; } >"$work/record.tsv"
expect 1 "$tool" "$work/record.tsv"
says 'NO REASON'
expect 1 "$tool" "$work/record.tsv" --check
IFS=$'\t' read -r run _ _ _ _ kernel launch _ _ counter _ <<<"$row"
printf 'kernel\tlaunch\tgrid\tblock\tcounter\trequests\twork\tideal_work\n' >"$work/$run.tsv"
printf '%s\t%s\t1,1,1\t1,1,1\t%s\t77\t78\t1\n' "$kernel" "$launch" "$counter" >>"$work/$run.tsv"
expect 0 "$tool" "$record" "$work/$run.tsv"
mv "$work/out" "$work/joined"
check 'as many rows' test "$(wc -l <"$work/joined")" -eq "$(wc -l <"$record")"
check 'the counts of the report' grep -q "$(printf '\t77\t78\t')" "$work/joined"
expect 2 "$tool"
finish
