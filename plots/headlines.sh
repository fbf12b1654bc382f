#!/usr/bin/env bash
# Prints what each step's headline variant reaches, on one GPU or several.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'TEXT'
usage: headlines.sh FILE.tsv...

Prints a Markdown table of bandwidth files, one for each GPU: for each step its headline variant, the
variant that this is compared with, and on each GPU the bandwidth and the percentages of the copy
ceiling, as `compared with → headline`.

Exit status: 0; 2 a usage error or a malformed file.
TEXT
}

case ${1:-} in
--help | -h) usage; exit 0 ;;
'') complain "needs FILE.tsv (see --help)"; exit 2 ;;
-*) complain "unknown option $1 (see --help)"; exit 2 ;;
esac
for file in "$@"; do check_bandwidth "$file" || exit 2; done
read_tsv headlines.awk "$@"
