#!/usr/bin/env bash
# Prints percentages of the copy ceiling as a table: a row for each variant, a column for each shape.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'END'
usage: percent_table.sh FILE.tsv [--all | VARIANT...]

Prints a bandwidth file of several shapes, as shared/tests/benchmark/last_percent.sh writes it, as a
Markdown table: the variants named (those of the chapter on the last percent unless some are named,
all of the file with --all), in percent of the copy ceiling of their own processes, the best of each
shape in bold; and the ceiling itself in GB/s, the median over the processes. Shapes stand in the
order of their size.

Exit status: 0; 1 the file has none of the variants; 2 a usage error or a malformed file.
END
}

case ${1:-} in
--help | -h) usage; exit 0 ;;
'') complain "needs FILE.tsv (see --help)"; exit 2 ;;
-*) complain "unknown option $1 (see --help)"; exit 2 ;;
esac
file=$1
shift
if [ "${1:-}" = --all ]; then set -- ''; fi
[ $# -gt 0 ] || set -- registers4x4 registers4x4_column_order registers4x2 registers4x2_keep_reads \
    registers4x2_two_fronts registers4x2_by_rule tma_keep_reads cublas_geam torch_max_autotune
check_bandwidth "$file" || exit 2
read_tsv percent_table.awk -v variants="$*" "$file" ||
    { complain "$file has none of these variants"; exit 1; }
