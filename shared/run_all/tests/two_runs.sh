#!/bin/bash
# Two runs with one folder of results: the second ends with a word, and the first is undisturbed.
# Two with folders of their own go on side by side. usage: two_runs.sh
. "$(dirname "$0")/workbook.sh"
make_workbook "$work/book"
compile_once "$work/book"
run_fake FAKE_SLEEP=4 >"$work/first" 2>&1 &
for ((i = 0; i < 600; i++)); do
    grep -q '^== 01' "$work/first" && break
    sleep 0.05
done
expect 1 run_fake FAKE_ROWS=5
says 'another run is writing to out: wait until it ends, or use --out DIR'
expect 0 "$work/book/run_all.sh" --size 32 --out "$work/other"
wait $!
check 'the first run ended well' [ $? -eq 0 ]
check 'its counts are its own' [ "$(grep -vc '^#\|^step' "$work/book/out/counts.tsv")" -eq 2 ]
expect 0 run_fake # and none is left locked
finish
