#!/bin/bash
# Makes a counts file out of what count.sh took: counts.sh FILE.csv... >counts.tsv
#
# The hardware knows no ideal, so ideal_work is nan. Exit status: 0; 1 a file holds something else
# than variants.awk expects; 2 wrong usage.
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { echo "usage: counts.sh FILE.csv... >counts.tsv" >&2; exit 2; }

sed -n 's/^# \(gpu\|ncu\|date\): /&/p' "$1"
exec awk -f "$here/csv.awk" -f "$here/variants.awk" -f "$here/count_rows.awk" "$@"
