#!/bin/sh
# Compares two counts files: compare.sh PREDICTED.tsv MEASURED.tsv
#
# Prints the counters that are not zero, predicted and measured, and marks what differs. Counters
# that the hardware does not have (tma_*) are left out. Exit status: 0 equal; 1 not; 2 wrong usage.
exec python3 "$(dirname "$0")/ncu.py" compare "$@"
