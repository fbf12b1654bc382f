#!/bin/bash
# The CUDA guide's example of TMA with the 128-byte swizzle: transposed, without bank conflicts.
# usage: guide_tma.sh PROGRAM, which is guide_tma.cu built by cpucc
. "$(dirname "$0")/../../traffic/tests/checks.sh"
CPUCC_REPORT=tsv CPUCC_REPORT_FILE=$work/counts.tsv expect 0 "$1"
says transposed
"$root/plots/columns.sh" "$work/counts.tsv" counter requests work ideal_work | tr '\t' ' ' >"$work/found"
check 'shared loads have conflicts' grep -qx 'shared_load 8 8 8' "$work/found"
check 'shared stores have conflicts' grep -qx 'shared_store 8 8 8' "$work/found"
finish
