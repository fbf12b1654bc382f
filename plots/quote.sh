#!/usr/bin/env bash
# Writes recorded figures into a page: prints the page with every quoted figure as it is recorded.
set -u
unset CDPATH
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tsv.sh
. "$here/tsv.sh"

usage() {
    cat <<'END'
usage: quote.sh PAGE.md [--results DIR] [--pairs FILE]

In a page a number followed by a comment is a quoted figure. The comment is an arithmetic expression,
with blanks between all its parts, of numbers, + - * / ( ) and recorded figures:

  `padded` has 40.8<!--padded--> %, 1.73<!--padded / tile32--> times as much as `tile32`
  55.2<!--padded@h100--> %, 4816<!--padded:ms * 1000--> us, 98.5<!--registers4x2#4096--> %

A recorded figure is VARIANT[:COLUMN][@GPU][#SIZE]. Columns: copy (percent of the copy ceiling, which is
meant where none is named), memcpy, peak, gbs, ms; dram_read and dram_write in GB; COUNTER.requests,
COUNTER.work and COUNTER.per (work for each request), say global_load.per, at 1024 x 1024; l1_sectors,
l1_hits, l2_read_requests, l2_read_sectors, l2_write_requests, l2_write_sectors; latency_ns and
in_flight_kb; of the contenders of halves.tsv half_ms (at 32768 unless a size is named), and of their
counts half_dram_read and half_dram_write in MB, half_l2_reads, half_l2_hits, half_l2_fabric in sectors. Sizes: 4096 (of sizes.tsv), 1000x3000 (of last_percent.tsv), 2B_8192x8192 and
4B_2000x701x503 (of shapes.tsv: bytes of an element, batches if there are several); the recorded size
where none is named. The variant `ceiling` is the median of all ceilings. A figure keeps its number of decimals.
A comment `said: SOURCE` marks a figure of somebody else; it stays as it is.

Between the lines `<!-- rows VARIANT...: begin (plots/record.sh writes this) -->` and `<!-- rows: end -->`
stands a table of these variants on all recorded GPUs.

--pairs FILE gets a line `LINE VARIANT` for each variant in an expression of several. DIR is plots/results
unless given. Exit status: 0; 1 something is not recorded (its old figure stays), 2 a usage error.
END
}

page='' results=$here/results pairs=''
while [ $# -gt 0 ]; do
    case $1 in
    --help | -h) usage; exit 0 ;;
    --results | --pairs)
        [ $# -ge 2 ] || { complain "$1 needs a value"; exit 2; }
        if [ "$1" = --pairs ]; then pairs=$2; else results=$2; fi
        shift ;;
    -*) complain "unknown option $1 (see --help)"; exit 2 ;;
    *)
        [ -z "$page" ] || { complain "one page only, please (see --help)"; exit 2; }
        page=$1 ;;
    esac
    shift
done
[ -n "$page" ] || { complain "which page? (see --help)"; exit 2; }
[ -r "$page" ] || { complain "$page: cannot be read"; exit 2; }
shown=$(cat "$results/shown" 2>/dev/null)
gpus=$(recorded_gpus "$results" "$shown")
exec awk -v results="$results" -v shown="$shown" -v gpus="${gpus//$'\n'/ }" -v pairs="$pairs" -v page="$page" \
    -f "$here/common.awk" -f "$here/quote.awk" "$page"
