#!/bin/bash
# Compares two counts files: compare.sh PREDICTED.tsv MEASURED.tsv
#
# Prints the counters that are not zero, predicted and measured, and marks what differs. Counters
# that the hardware does not have (tma_*) are left out. Exit status: 0 equal; 1 not; 2 wrong usage.
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
if [ $# -ne 2 ] || [ ! -r "$1" ] || [ ! -r "$2" ]; then
    echo "usage: compare.sh PREDICTED.tsv MEASURED.tsv" >&2
    exit 2
fi
exec awk -f "$here/../../plots/tsv.awk" -f "$here/compare.awk" "$1" "$2"
