#!/bin/bash
# The counting rules: what counts.cu declares (EXPECT) is counted, and nothing else.
# usage: counts.sh PROGRAM, which is counts.cu built by cpucc
. "$(dirname "$0")/../../traffic/tests/checks.sh"
source=$(dirname "$0")/counts.cu

CPUCC_REPORT=tsv CPUCC_REPORT_FILE=$work/counts.tsv expect 0 "$1"
awk '/EXPECT [a-z0-9]/ && NF >= 5 {sub(/.*EXPECT /, ""); print $1, $2, $3, $4}' "$source" |
    sort >"$work/expected"
"$root/plots/columns.sh" "$work/counts.tsv" kernel counter requests work | tr '\t' ' ' | sort >"$work/found"
while IFS= read -r line; do
    check "expected $line, found $(grep "^${line% * *} " "$work/found")" \
        grep -qxF "$line" "$work/found"
done <"$work/expected"
comm -13 "$work/expected" "$work/found" >"$work/more"
check "not declared in counts.cu: $(cat "$work/more")" [ ! -s "$work/more" ]
finish
