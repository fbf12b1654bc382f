#!/bin/bash
# Help and wrong usage, --handout, --junit, and an exercise built by itself.
# usage: commands.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

run 'help' 0 'usage: ./run_all.sh --exercises' ./run_all.sh --exercises --help
run 'an unknown step' 2 'there is no exercise of that name' ./run_all.sh --exercises 99
run 'an unknown option' 2 'unknown option' ./run_all.sh --exercises --nxt
run 'two commands' 2 '--next: cannot be combined' ./run_all.sh --grade "$work" --next
run 'a hint for nothing' 2 'a value is needed' ./run_all.sh --exercises --hint
run 'a hint for no exercise' 2 'there is no exercise of that name' ./run_all.sh --exercises --hint naive

# The workbook without its solutions.
run 'handout' 0 'is in .*second' "$root/run_all.sh" --handout "$work/second"
check 'it has no solutions' none -name solution.cu
check 'it has no wrong answers' none -name answers.txt
check 'it is no repository' none -name .git
run 'handout into a folder in use' 2 'is not empty' "$root/run_all.sh" --handout "$book"

# Results for a course's grading system.
solve_all
cp "$originals/naive4_stores/task.cu" "$exercises/naive4_stores/answer.cu"
run 'junit' 1 '5 of 6 solved' ./run_all.sh --exercises 01 --junit "$work/results.xml"
check 'it counts' grep -q '<testsuite name="exercises" tests="6" failures="1">' "$work/results.xml"
check 'it has every exercise' [ "$(grep -c '<testcase ' "$work/results.xml")" = 6 ]
check 'it says why' grep -q 'name="naive4_stores">' "$work/results.xml"
check 'it escapes what is said' \
    grep -q 'message="the stores take 65536 sectors in all (global_store); the goal is at most 8192' "$work/results.xml"
if command -v xmllint >/dev/null; then
    check 'it is well-formed' xmllint --noout "$work/results.xml"
else
    skip 'xmllint is not installed: whether the XML is well-formed'
fi
run 'junit nowhere' 2 'cannot write there' ./run_all.sh --exercises 01 --junit "$work/none/x.xml"

# An exercise is also a program by itself, which verifies itself.
cd "$originals/naive4_stores" || exit 2
run 'a solution, with cpucc' 0 '' "$root/shared/cpucc/cpucc" -I../../../../shared solution.cu -o "$work/alone"
run 'it verifies itself' 0 '33 x 65: verified' "$work/alone"
CPUCC_REPORT=table run 'the table is of the counted size alone' 0 'all lines +global_store +2048 +8192 ' "$work/alone"
cd "$exercises/naive1_turn" || exit 2
run 'untouched, with cpucc' 0 '' "$root/shared/cpucc/cpucc" -I../../../../shared task.cu -o "$work/alone"
run 'untouched, it says what is wrong' 1 '256 x 256: WRONG: 65280 elements differ' "$work/alone"
finish
