#!/bin/bash
# Without python3 a run on the CPU still counts, keeps its counts, and prints what it could not do.
# usage: without_python.sh
. "$(dirname "$0")/workbook.sh"
make_workbook "$work/book"
expect 0 without_python run_fake
says '^python3 is missing, so there are no tables and charts; run ./run_all.sh --install, then plots/draw.sh out$'
check 'the counts of both programs' [ "$(grep -c '	v0	' "$work/book/out/counts.tsv")" -eq 2 ]
check 'nothing is drawn' [ ! -e "$work/book/out/figures" ]
check 'no tool is missed' [ ! -s "$work/err" ]
check '--install knows python3' grep -q 'python3:python3' "$root/shared/run_all/install.sh"

with=$(grep -v '^# date: ' "$work/book/out/counts.tsv")
expect 0 run_fake
says 'sectors/request'
check 'the same counts as with python3' [ "$(grep -v '^# date: ' "$work/book/out/counts.tsv")" = "$with" ]
finish
