#!/usr/bin/env bash
# Prints a counts file as a table.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'TEXT'
usage: counts_table.sh COUNTS.tsv

Prints one line for each variant of a counts file: sectors for each request of its global loads and
stores, and the conflict degree of its shared loads and stores where the ideal is known.

Exit status: 0; 2 a usage error or a malformed file.
TEXT
}

case ${1:-} in
--help | -h) usage; exit 0 ;;
-*) complain "unknown option $1 (see --help)"; exit 2 ;;
esac
[ $# -eq 1 ] || { complain "needs COUNTS.tsv (see --help)"; exit 2; }
check_tsv "$1" "$counts_columns" "$counts_later" || exit 2
read_tsv counts_table.awk "$1"
