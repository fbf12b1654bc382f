#!/bin/bash
# What a learner types: the list, the next one, hints, --reset, and the same by make.
# usage: learner.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

run 'nothing solved' 1 '0 of 6 solved' ./run_all.sh --exercises 01
run 'the list says what is next' 1 'next ->  *naive1_turn' ./run_all.sh --exercises 01_naive
run 'next' 1 'now .*65280 of 65536 elements' ./run_all.sh --exercises naive --next
solve naive1_turn
run 'one exercise alone, solved' 0 'all 1 solved|1 of 1 solved' ./run_all.sh --exercises naive1_turn
run 'the next after it' 1 'next: naive2_edge' ./run_all.sh --exercises 01 --next
run 'the bar' 1 '\[#####\.*\] 1 of 6 solved' ./run_all.sh --exercises 01
run 'make exercises' 0 '1 of 6 solved' make -C steps/01_naive exercises
run 'make next' 0 'next: naive2_edge' make -C steps/01_naive next
run 'the first hint' 0 'naive2_edge, hint 1 of 2' ./run_all.sh --exercises --hint naive2_edge
run 'the last hint is said to be that' 0 'that was the last hint' make -C steps/01_naive hint NAME=naive2
run 'hints begin again' 0 'hint 1 of 2' ./run_all.sh --exercises --hint naive2
run 'the second hint' 0 'naive2_edge, hint 2 of 2' ./run_all.sh --exercises --hint naive2

run 'reset' 0 'is as it was at first' ./run_all.sh --exercises --reset naive1_turn
check 'reset brings the original back' cmp -s "$exercises/naive1_turn/answer.cu" "$originals/naive1_turn/task.cu"
check 'reset keeps the old file' cmp -s "$exercises/naive1_turn/answer.cu.old" "$originals/naive1_turn/solution.cu"
rm "$exercises/naive2_edge/answer.cu"
run 'a missing answer is made' 1 'edit .*naive2_edge/answer.cu' ./run_all.sh --exercises naive2_edge --next
check 'it is the task' cmp -s "$exercises/naive2_edge/answer.cu" "$originals/naive2_edge/task.cu"
run 'reset of a missing file' 0 'is as it was' ./run_all.sh --exercises --reset naive2_edge
solve_all
run 'a step solved' 0 '\[#*\] 6 of 6 solved' ./run_all.sh --exercises 01
run 'nothing left' 0 'all 6 solved' ./run_all.sh --exercises 01 --next
finish
