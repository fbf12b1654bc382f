#!/bin/bash
# Starts book.py, which makes the book (see --help), with a python3 that has its modules.
unset CDPATH # or cd may go elsewhere
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd) || exit 1
# Without the modules book.py still answers --help and wrong usage, and says what is missing.
python=$("$here/python.sh") || python=python3
if ! command -v "$python" >/dev/null; then
    echo "book.sh: python3 is missing; ./run_all.sh --install --book installs it" >&2
    exit 3
fi
exec "$python" -B "$here/book.py" "$@"
