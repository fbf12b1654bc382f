#!/bin/sh
# Prints the named columns of a TSV file: columns.sh FILE.tsv COLUMN...
#
# Prints one line per row, with tabs between columns and without a header. Exit status: 0; 1 FILE.tsv
# cannot be read; 2 a usage error, or no such column.
exec python3 "$(dirname "$0")/tables.py" columns "$@"
