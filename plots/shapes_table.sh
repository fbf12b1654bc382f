#!/usr/bin/env bash
# Prints the figures of many shapes as a table.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'TEXT'
usage: shapes_table.sh SHAPES.tsv

Prints a file of shapes, as shared/tests/benchmark/shapes.sh writes it, as a Markdown table: a row for each
shape, in percent of cudaMemcpy's speed, the fastest in bold.

Exit status: 0; 2 a usage error or a malformed file.
TEXT
}

case ${1:-} in
--help | -h) usage; exit 0 ;;
-*) complain "unknown option $1 (see --help)"; exit 2 ;;
esac
[ $# -eq 1 ] || { complain "needs SHAPES.tsv (see --help)"; exit 2; }
check_bandwidth "$1" || exit 2
read_tsv shapes.awk -v markdown=1 "$1"
