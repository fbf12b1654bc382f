#!/bin/sh
# Prints a page with its quoted numbers updated from recorded results: plots/quote.sh --help.
exec python3 "$(dirname "$0")/quote.py" "$@"
