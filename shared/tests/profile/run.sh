#!/bin/bash
# The recorded counts file is what counts.sh makes of the recorded raw files, and counts.sh and
# compare.sh notice what is wrong. usage: run.sh; the last line is `N passed, N failed`.
set -u
root=$(cd "$(dirname "$0")/../../.." && pwd)
tools=$root/shared/profile
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# check NAME STATUS EXPECTED-STATUS
check() {
    if [ "$2" -eq "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "$1: status $2, expected $3"
    fi
}

for recorded in "$root"/plots/results/*/counts.tsv; do
    folder=${recorded%/*}
    [ -d "$folder/raw" ] || continue
    "$tools/counts.sh" "$folder"/raw/[0-9]*.csv >"$work/remade.tsv"
    check "counts.sh on $folder/raw" $? 0
    cmp "$work/remade.tsv" "$recorded"
    check "$recorded is what its raw files say" $? 0
    "$tools/compare.sh" "$recorded" "$work/remade.tsv" >"$work/out"
    check "compare.sh on equal files" $? 0

    # One count off by one, one variant that never ran, one kernel too many.
    sed '/global_load/s/\t131072\t/\t131073\t/' "$recorded" >"$work/off.tsv"
    "$tools/compare.sh" "$recorded" "$work/off.tsv" >"$work/out"
    check "compare.sh on a count that is off by one" $? 1
    grep -q DIFFERENT "$work/out"
    check "compare.sh marks it" $? 0
    for first in "$folder"/raw/[0-9]*.csv; do break; done
    sed 's/^# variants: /&never_ran /' "$first" >"$work/short.csv"
    "$tools/counts.sh" "$work/short.csv" >/dev/null 2>"$work/err"
    check "counts.sh on a variant that did not run" $? 1
    sed 's/^# variants: [a-z0-9_]* /# variants: /' "$first" >"$work/long.csv"
    "$tools/counts.sh" "$work/long.csv" >/dev/null 2>"$work/err"
    check "counts.sh on a variant too many" $? 1
done
"$tools/counts.sh" >/dev/null 2>&1
check "counts.sh without a file" $? 2
"$tools/count.sh" x >/dev/null 2>&1
check "count.sh with too few arguments" $? 2
if ! command -v ncu >/dev/null; then
    "$tools/count.sh" true 4 4 "$work/x.csv" >/dev/null 2>"$work/err"
    check "count.sh without ncu" $? 3
    grep -q 'Nsight Compute' "$work/err"
    check "it says what is missing" $? 0
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
