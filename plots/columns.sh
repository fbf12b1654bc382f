#!/usr/bin/env bash
# Prints columns of a TSV file, by name.
#
# usage: columns.sh FILE.tsv COLUMN...
#
# One line for each row, without headers, tabs between the columns; so that a script can say
# `columns.sh counts.tsv step rows cols | while read -r step rows cols`. Exit status: 0; 1 no such
# file; 2 a usage error, or no such column.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 2 ] || { echo "usage: columns.sh FILE.tsv COLUMN..." >&2; exit 2; }
[ -r "$1" ] || { echo "columns.sh: $1: cannot be read" >&2; exit 1; }
file=$1
shift
exec awk -v names="$*" -f "$here/tsv.awk" -f "$here/columns.awk" "$file"
