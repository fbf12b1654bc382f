#!/bin/bash
# --watch: what is saved is checked, and the next one shown.
# usage: watch.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

solve_all
cp "$originals/naive4_stores/task.cu" "$exercises/naive4_stores/answer.cu"
timeout 400 ./run_all.sh --exercises 01 --watch >"$work/watched" 2>&1 &
watcher=$!
for _ in $(seq 3000); do grep -q watching "$work/watched" && break; sleep 0.1; done
solve naive4_stores
wait $watcher
check 'it ends when all are solved' [ $? -eq 0 ]
check 'it says what was missing' grep -q 'the stores of line [0-9]* touch 32 sectors' "$work/watched"
check 'it sees the file saved' grep -q 'naive4_stores is solved' "$work/watched"
finish
