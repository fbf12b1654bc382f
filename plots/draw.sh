#!/usr/bin/env bash
# Draws all charts of the TSV files in a folder: draw.sh --help.
unset CDPATH # or cd may go elsewhere
umask u=rwx
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if ! command -v python3 >/dev/null; then
    echo "draw.sh: python3 is missing, the TSV files are kept; get it (apt-get install python3), then run: plots/draw.sh $*" >&2
    exit 1
fi
exec python3 -B "$here/draw.py" "$@"
