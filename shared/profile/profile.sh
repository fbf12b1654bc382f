#!/bin/bash
# Compares the counts of a run on the CPU with the hardware's counts, and tells on what each variant's warps
# wait: `make profile` in a step.
#
# usage: profile.sh PROGRAM CPU-PROGRAM ROWS COLS
#
# Prints one line per variant and counter that is not zero, then one line of stall reasons per variant. Exit status: 0 all are equal; 1 some
# differ, or a program failed; 2 wrong usage; 3 no ncu, or no permission to read the counters.
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
[ $# -eq 4 ] || { echo "usage: profile.sh PROGRAM CPU-PROGRAM ROWS COLS" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$here/count.sh" "$1" "$3" "$4" "$work/measured.csv" || exit
"$here/counts.sh" "$work/measured.csv" >"$work/measured.tsv" || exit 1
"$2" --rows "$3" --cols "$4" --tsv "$work/predicted.tsv" >"$work/log" 2>&1 || {
    tail -5 "$work/log" >&2
    exit 1
}
"$here/compare.sh" "$work/predicted.tsv" "$work/measured.tsv"
status=$?
"$here/metrics.sh" stalls "$work/stalls.tsv" "$1" && echo && "$here/ncu.py" stall-table "$work/stalls.tsv" || exit 1
exit $status
