#!/bin/bash
# One exercise: its folder is complete; the solution passes with the best medal there is, and so do the
# answers in right/, with the one that their first line names; the untouched task and every answer in
# wrong/ are refused with the intended words. Figures of the explanation are as counted.
# usage: answers.sh FOLDER TOOLS, the exercise's and the one that tools.sh has made
home=$1 tools=$2 name=${1##*/}
. "$(dirname "$0")/exercises.sh"

check 'it is not complete' "$(dirname "$0")/complete.sh" "$home"

# medal_is LABEL MEDAL: of the answer that was just judged.
medal_is() {
    local medal
    medal=$(head -n 1 "$work/verdict" | cut -f 3)
    check "$1: ${medal:-no medal} instead of ${2:-none}" [ "$medal" = "$2" ]
}
best=$(sed -nE 's|^// (silver\|gold):.*|\1|p' "$home/task.cu" | sort | head -n 1)

answer 'the solution' solved '' <"$home/solution.cu"
medal_is 'the solution' "$best"
grep $'^count\t' "$work/verdict" | sed 's/^count/solution/' >"$work/counts"
answer untouched unsolved "$(cat "$home/wrong/untouched")" <"$home/task.cu"
grep $'^count\t' "$work/verdict" | sed 's/^count/task/' >>"$work/counts"
check 'a figure of the explanation is not as counted' "$(dirname "$0")/figures.sh" "$home" "$work/counts"
for file in "$home"/right/*.cu; do
    [ -f "$file" ] || continue
    answer "${file##*/}" solved '' <"$file"
    medal=$(sed -n '1s|^// medal: ||p' "$file")
    [ -z "$medal" ] || medal_is "${file##*/}" "$medal"
done
for file in "$home"/wrong/*.cu; do
    expected=$(sed -n '1s|^// refused: ||p' "$file")
    answer "${file##*/}" unsolved "${expected:-?}" <"$file"
done
finish
