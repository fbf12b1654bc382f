#!/bin/bash
# What is said when an exercise is solved or given up: why it works, counts, times, medals, solutions.
# usage: solved.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

# Texts of our own, so that this does not depend on those of the exercises.
printf 'It works because of 4<!--global_load.work--> sectors.\n\n---\nThe trick of gold.\nTry: a block of another shape.\n' >"$exercises/naive4_stores/explanation.md"
sed -i 's|^// goal: verified|&\n// silver: global_load work <= 65536\n// gold: global_load work <= 8192|' \
    "$exercises/naive4_stores/task.cu"
mkdir -p plots/results/h200
echo h200 >plots/results/shown
{
    printf '# gpu: NVIDIA H200\nexercise\trows\tcols\ttask\ttask_ms\ttask_percent_of_copy\tsolution\tsolution_ms\tsolution_percent_of_copy\n'
    printf 'naive4_stores\t16384\t16384\tok\t3.0\t17.0\tok\t1.5\t34.0\nnaive1_turn\t16384\t16384\twrong\tnan\tnan\tok\t1.25\t40.0\n'
} >plots/results/h200/exercises.tsv
list() { run "$1" "${@:3:1}" "$2" ./run_all.sh --exercises "${@:4}"; }

list 'the lesson to read' 'read +steps/01_naive/README.md first' 1 01 --next
list 'no solution yet' 'naive4_stores is not solved yet' 1 --solution naive4_stores
for word in check hint; do
    run "make next says how to $word" 0 "make $word NAME=naive1_turn" make -C steps/01_naive next
    run "make $word" 0 'naive1_turn' make -C steps/01_naive $word NAME=naive1_turn
done

sed 's/^    if (row < rows/    if (row + col == 0)\n        printf("rows are %d\\n", rows);\n&/' \
    "$originals/naive4_stores/solution.cu" >"$exercises/naive4_stores/answer.cu"
list 'the list tells of what was just solved' 'naive4_stores is solved' 1 01
list 'why it works, again, and no comment' 'It works because of 4 sectors' 0 naive4_stores
check 'while gold is there to be had, nothing else is to be tried' not grep -q 'Try:' <(./run_all.sh --exercises naive4_stores)
list 'counts before and now' 'global_store, sectors +65536 +8192' 0 naive4_stores
list 'the time' 'on an H200, 16384 x 16384: our solution takes 1.500 ms, 34 % of a copy' 0 naive4_stores
list 'whether it pays' 'the task takes 3.000 ms: solved, it is 2.00 times as fast' 0 naive4_stores
list 'what it printed' 'printed +rows are 256' 0 naive4_stores
list 'a medal' 'solved +naive4_stores +silver' 0 naive4_stores
check 'not how to get gold' not grep -q 'The trick of gold' <(./run_all.sh --exercises naive4_stores)
list 'but that there is more' 'more to say, once you have the best medal' 0 naive4_stores
list 'what gold asks for' 'gold asks for more' 0 naive4_stores
list 'our solution, in a copy without them' 'has no solutions' 2 --solution naive4_stores
cp "$originals"/naive4_stores/solution.cu "$exercises/naive4_stores"
cp "$originals"/naive2_edge/solution.cu "$exercises/naive2_edge"
list 'our solution' '^__global__ void transpose' 0 --solution naive4_stores

solve naive1_turn
list 'told by --next too' 'naive1_turn is solved' 1 01 --next
list 'not twice' '^next: naive2_edge' 1 01 --next
check 'it is not told twice' not grep -q 'is solved' <(./run_all.sh --exercises 01 --next)
check 'no lesson once one is solved' not grep -q 'read  *steps' <(./run_all.sh --exercises 01 --next)
list 'a task without a time' 'the task has no time: it fails its checks there' 0 naive1_turn

list 'given up' 'naive2_edge: ' 0 --give-up naive2_edge
list 'then the solution is shown' '^__global__ void' 0 --solution naive2_edge
solve naive2_edge
./run_all.sh --exercises 01 >"$work/list"
check 'the bar of the step' grep -q '01_naive  *\[########\.*\] 3 of 6' "$work/list"
list 'the summary' '3 of 6 exercises solved, with 1 hint, 0 gold and 1 silver; of these, the solution of 1 was' 1 01 --summary
sed -i 's/gold: global_load work <= 8192/gold: global_load work <= 65536/' "$exercises/naive4_stores/task.cu"
list 'gold' 'solved +naive4_stores +gold' 0 naive4_stores
list 'then the rest' 'The trick of gold' 0 naive4_stores
list 'what to try' 'Try: a block of another shape' 0 naive4_stores
sed -i 's/silver: global_load work <= 65536/silver: global_load work <= 100/' "$exercises/naive4_stores/task.cu"
list 'bronze' 'solved +naive4_stores +bronze' 0 naive4_stores
finish
