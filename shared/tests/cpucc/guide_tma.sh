#!/bin/bash
# The CUDA guide's example of TMA with the 128-byte swizzle: transposed, without bank conflicts.
# usage: guide_tma.sh PROGRAM, which is guide_tma.cu built by cpucc
. "$(dirname "$0")/../checks.sh"
CPUCC_REPORT=tsv CPUCC_REPORT_FILE=$work/counts.tsv expect 0 "$1"
says transposed
awk -F '\t' -v columns='counter requests work ideal_work' -f "$root/shared/tests/columns.awk" \
    "$work/counts.tsv" >"$work/found"
check 'shared loads have conflicts' grep -qx 'shared_load 8 8 8' "$work/found"
check 'shared stores have conflicts' grep -qx 'shared_store 8 8 8' "$work/found"
finish
