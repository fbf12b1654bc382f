#!/bin/bash
# The recorded counts files are what counts.sh makes of the recorded raw files, and counts.sh and
# compare.sh notice what is wrong. usage: recorded.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
tools=$root/shared/profile

for recorded in "$root"/plots/results/*/counts.tsv; do
    folder=${recorded%/*}
    [ -d "$folder/raw" ] || continue
    expect 0 "$tools/counts.sh" "$folder"/raw/[0-9]*.csv
    mv "$work/out" "$work/remade.tsv"
    check "$recorded is not what its raw files say" cmp "$work/remade.tsv" "$recorded"
    expect 0 "$tools/compare.sh" "$recorded" "$work/remade.tsv"

    # One count off by one, one variant that never ran, one kernel too many.
    sed '/global_load/s/\t131072\t/\t131073\t/' "$recorded" >"$work/off.tsv"
    expect 1 "$tools/compare.sh" "$recorded" "$work/off.tsv"
    says DIFFERENT
    for first in "$folder"/raw/[0-9]*.csv; do break; done
    sed 's/^# variants: /&never_ran /' "$first" >"$work/short.csv"
    expect 1 "$tools/counts.sh" "$work/short.csv"
    says 'fewer variants ran'
    sed 's/^# variants: [a-z0-9_]* /# variants: /' "$first" >"$work/long.csv"
    expect 1 "$tools/counts.sh" "$work/long.csv"
    says 'more variants ran'
done
expect 2 "$tools/counts.sh"
finish
