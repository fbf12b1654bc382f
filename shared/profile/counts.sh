#!/bin/sh
# Makes a counts file out of what count.sh took: counts.sh FILE.csv... >counts.tsv
#
# The hardware knows no ideal, so ideal_work is nan. Exit status: 0; 1 a file does not hold what count.sh
# writes; 2 wrong usage.
exec python3 "$(dirname "$0")/ncu.py" counts "$@"
