#!/usr/bin/env bash
# Prints a bandwidth file as a table.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'END'
usage: table.sh FILE.tsv [STEP]

Prints the rows of a bandwidth file as a Markdown table; with STEP (a folder's name, say 02_smem)
the rows of that step as plain text.

Exit status: 0; 1 the file has no such step; 2 a usage error or a malformed file.
END
}

case ${1:-} in
--help | -h) usage; exit 0 ;;
-*) complain "unknown option $1 (see --help)"; exit 2 ;;
esac
case $# in
1 | 2) ;;
*) complain "needs FILE.tsv and perhaps a STEP (see --help)"; exit 2 ;;
esac
check_bandwidth "$1" || exit 2
read_tsv table.awk -v step="${2:-}" "$1" ||
    { complain "$1 has no rows of step ${2:-}"; exit 1; }
