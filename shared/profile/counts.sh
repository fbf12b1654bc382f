#!/bin/sh
# Turns the output of count.sh into a counts file: counts.sh FILE.csv... >counts.tsv
#
# ideal_work is nan, because the hardware does not count it. Exit status: 0; 1 a file was not written by
# count.sh; 2 wrong usage.
exec python3 "$(dirname "$0")/ncu.py" counts "$@"
