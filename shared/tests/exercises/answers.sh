#!/bin/bash
# One exercise: its folder is complete; the solution passes, and so do the answers in right/; the
# untouched task and every answer in wrong/ are refused with the intended words.
# usage: answers.sh FOLDER TOOLS, the exercise's and the one that tools.sh has made
home=$1 tools=$2 name=${1##*/}
. "$(dirname "$0")/exercises.sh"

check 'fewer than two hints' grep -q '^---$' "$home/hints.md"
check 'something is left to do' not grep -rqsw TODO "$home"/{task.cu,solution.cu,hints.md,wrong,explanation.md}
check 'the solution states goals: they are the task'"'s" \
    not grep -qE '^// *(operation|multiple|counted|capability|goal|silver|gold):' "$home/solution.cu"

answer 'the solution' solved '' <"$home/solution.cu"
answer untouched unsolved "$(cat "$home/wrong/untouched")" <"$home/task.cu"
for file in "$home"/right/*.cu; do
    [ ! -f "$file" ] || answer "${file##*/}" solved '' <"$file"
done
wrongs=0
for file in "$home"/wrong/*.cu; do
    wrongs=$((wrongs + 1))
    expected=$(sed -n '1s|^// refused: ||p' "$file")
    check "${file##*/} does not say what the learner is told: // refused: ..." [ -n "$expected" ]
    answer "${file##*/}" unsolved "${expected:-?}" <"$file"
done
check "$wrongs wrong answers are too few" [ $wrongs -ge 2 ]
finish
