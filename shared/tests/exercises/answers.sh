#!/bin/bash
# One exercise: its folder is complete; the solution passes with the best medal there is, and so do the
# answers in right/, with the one that their first line names; the untouched task and every answer in
# wrong/ are refused with the intended words.
# usage: answers.sh FOLDER TOOLS, the exercise's and the one that tools.sh has made
home=$1 tools=$2 name=${1##*/}
. "$(dirname "$0")/exercises.sh"

check 'fewer than two hints' grep -q '^---$' "$home/hints.md"
check "explanation.md has no line Try: with one thing to try" grep -q "^Try: " "$home/explanation.md"
check 'something is left to do' not grep -rqsw TODO "$home"/{task.cu,solution.cu,hints.md,wrong,explanation.md}
check 'the solution states goals: they are the task'"'s" \
    not grep -qE '^// *(operation|multiple|counted|capability|goal|silver|gold):' "$home/solution.cu"

# medal_is LABEL MEDAL: of the answer that was just judged.
medal_is() {
    local medal
    medal=$(head -n 1 "$work/verdict" | cut -f 3)
    check "$1: ${medal:-no medal} instead of ${2:-none}" [ "$medal" = "$2" ]
}
best=$(sed -nE 's|^// (silver\|gold):.*|\1|p' "$home/task.cu" | sort | head -n 1)

answer 'the solution' solved '' <"$home/solution.cu"
medal_is 'the solution' "$best"
answer untouched unsolved "$(cat "$home/wrong/untouched")" <"$home/task.cu"
for file in "$home"/right/*.cu; do
    [ -f "$file" ] || continue
    answer "${file##*/}" solved '' <"$file"
    medal=$(sed -n '1s|^// medal: ||p' "$file")
    [ -z "$medal" ] || medal_is "${file##*/}" "$medal"
done
wrongs=0
for file in "$home"/wrong/*.cu; do
    wrongs=$((wrongs + 1))
    expected=$(sed -n '1s|^// refused: ||p' "$file")
    check "${file##*/} does not say what the learner is told: // refused: ..." [ -n "$expected" ]
    answer "${file##*/}" unsolved "${expected:-?}" <"$file"
done
check "$wrongs wrong answers are too few" [ $wrongs -ge 3 ]
finish
