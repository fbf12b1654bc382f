#!/bin/sh
# Prints a bandwidth file as a table: plots/table.sh --help.
exec python3 "$(dirname "$0")/tables.py" table "$@"
