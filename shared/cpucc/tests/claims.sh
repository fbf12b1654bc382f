#!/bin/bash
# The tests that cpucc's README names beside what it finds are there, and its tables of programs.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
here=$root/shared/cpucc/tests
sed -n '/^### What it says, beside/,/^#* Files/p' "$root/shared/cpucc/README.md" |
    grep '^|' | awk -F '|' '{ print $4 }' | grep -o '`[^`]*`' | tr -d '`' >"$work/tests"
while IFS= read -r test; do
    file=${test%%:*} program=${test#*: }
    if [ "$program" = "$test" ]; then
        check "no test $test" test -f "$here/$file.cu"
    else
        check "no program $program in $file.cu" grep -qx "//// $program" "$here/$file.cu"
    fi
done <"$work/tests"
check 'it names them' test "$(wc -l <"$work/tests")" -ge 15

sed -n '/^<!-- foreign -->$/,/^<!-- end -->$/{/^<!--/!p}' "$root/shared/cpucc/README.md" >"$work/tables"
check 'the tables of others'"'"' programs are not foreign.tsv'"'"'s: foreign_summary.sh --write' \
    cmp -s "$work/tables" <("$here/foreign_summary.sh")

sed -n '/^<!-- speed -->$/,/^<!-- end -->$/{/^<!--/!p}' "$root/shared/cpucc/README.md" >"$work/speed"
check 'the table of speeds is not plots/results/cpu/speed.tsv: speed.sh --record' \
    cmp -s "$work/speed" <("$root/shared/cpucc/tests/speed.sh" --table)
finish
