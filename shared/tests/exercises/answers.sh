#!/bin/bash
# One exercise: it is complete and its files agree; the solution passes; the untouched exercise and
# every wrong answer are refused with the intended words (wrong/NAME.sh).
# usage: answers.sh NAME FOLDER, the folder that tools.sh has made
name=$1 tools=$2
. "$(dirname "$0")/exercises.sh"

check 'steps/*/exercises and shared/exercises/originals differ' \
    cmp -s "$(step_folder "$name")/exercises/$name.cu" "$root/shared/exercises/originals/$name.cu"
check 'fewer than two hints' grep -q '^--$' "$root/shared/exercises/hints/$name.txt"
goals() { grep -E '^// (operation|multiple|counted|capability|goal):'; }
check 'the solution states another goal' cmp -s <(exercise | goals) <(solution | goals)

answer 'the solution' solved '' < <(solution)
# shellcheck source=/dev/null
. "$(dirname "$0")/wrong/$name.sh"
check "$wrongs wrong answers are too few" [ $wrongs -ge 2 ]
check 'nothing is said of the untouched exercise' [ $told -eq 1 ]
finish
