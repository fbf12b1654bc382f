#!/usr/bin/env bash
# Prints DRAM counters as a table.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'TEXT'
usage: dram_table.sh DRAM.tsv

Prints a file of DRAM counters, as shared/profile/dram.sh writes it, as a Markdown table: a row for
each variant, at the file's first size.

Exit status: 0; 2 a usage error or a malformed file.
TEXT
}

case ${1:-} in
--help | -h) usage; exit 0 ;;
-*) complain "unknown option $1 (see --help)"; exit 2 ;;
esac
[ $# -eq 1 ] || { complain "needs DRAM.tsv (see --help)"; exit 2; }
check_tsv "$1" "$dram_columns" || exit 2
read_tsv dram_table.awk "$1"
