#!/bin/bash
# An exercise is also a program by itself, which verifies itself.
# usage: alone.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

cd "$originals/naive4_stores" || exit 2
run 'a solution, with cpucc' 0 '' "$root/shared/cpucc/cpucc" -I../../../../shared solution.cu -o "$work/alone"
run 'it verifies itself' 0 '33 x 65: verified' "$work/alone"
CPUCC_REPORT=table run 'the table is of the counted size alone' 0 'all lines +global_store +2048 +8192 ' "$work/alone"
cd "$exercises/naive1_turn" || exit 2
run 'untouched, with cpucc' 0 '' "$root/shared/cpucc/cpucc" -I../../../../shared task.cu -o "$work/alone"
run 'untouched, it says what is wrong' 1 '256 x 256: WRONG: 65280 elements differ' "$work/alone"
finish
