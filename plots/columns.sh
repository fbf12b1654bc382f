#!/bin/sh
# Prints columns of a TSV file, by name: columns.sh FILE.tsv COLUMN...
#
# One line for each row, without headers, with tabs between the columns. Exit status: 0; 1 no such file;
# 2 a usage error, or no such column.
exec python3 "$(dirname "$0")/tables.py" columns "$@"
