#!/bin/sh
# Merges the bandwidth files of several programs and runs: plots/merge.sh --help.
exec python3 "$(dirname "$0")/tables.py" merge "$@"
