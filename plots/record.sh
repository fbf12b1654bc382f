#!/bin/sh
# Makes a run the recorded one, and writes tables and charts: plots/record.sh --help.
exec python3 "$(dirname "$0")/record.py" "$@"
