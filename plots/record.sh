#!/bin/sh
# Records the results of a run and updates tables and charts: plots/record.sh --help.
exec python3 "$(dirname "$0")/record.py" "$@"
