#!/bin/bash
# counts.sh makes of a recorded list of Nsight Compute what is recorded of it, and counts.sh and compare.sh
# notice what is wrong. usage: recorded.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
tools=$root/shared/profile
list=$root/shared/profile/tests/data/01_naive.csv # an H200's, at 1024 x 1024

expect 0 "$tools/counts.sh" "$list"
cp "$work/out" "$work/counts.tsv"
check 'a row for each variant and counter' test "$(grep -c '^01_naive	.*	nan$' "$work/counts.tsv")" -eq 12
expect 0 "$tools/compare.sh" "$root/plots/results/h200/counts.tsv" "$work/counts.tsv"
says '^24 counts equal, 0 different'
expect 0 "$tools/compare.sh" "$work/counts.tsv" "$work/counts.tsv"

# One count off by one, one variant that never ran, one kernel too many.
sed '/global_load/s/\t131072\t/\t131073\t/' "$work/counts.tsv" >"$work/off.tsv"
expect 1 "$tools/compare.sh" "$work/counts.tsv" "$work/off.tsv"
says DIFFERENT
sed 's/^# variants: /&never_ran /' "$list" >"$work/short.csv"
expect 1 "$tools/counts.sh" "$work/short.csv"
says 'fewer variants ran'
sed 's/^# variants: [a-z0-9_]* /# variants: /' "$list" >"$work/long.csv"
expect 1 "$tools/counts.sh" "$work/long.csv"
says 'more variants ran'
expect 2 "$tools/counts.sh"
finish
