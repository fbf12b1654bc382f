#!/bin/sh
# Writes recorded figures into a page: plots/quote.sh --help.
exec python3 "$(dirname "$0")/quote.py" "$@"
