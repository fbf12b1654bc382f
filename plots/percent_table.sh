#!/bin/sh
# Prints percentages of the copy ceiling at several shapes as a table: plots/percent_table.sh --help.
exec python3 "$(dirname "$0")/tables.py" percent "$@"
