#!/bin/sh
# Compares two counts files: compare.sh PREDICTED.tsv MEASURED.tsv
#
# Prints predicted and measured values of each counter that is not zero, and marks differences. Leaves
# out tma_*, which the hardware does not count. Exit status: 0 equal; 1 different; 2 wrong usage.
exec python3 "$(dirname "$0")/ncu.py" compare "$@"
