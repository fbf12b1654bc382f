#!/bin/bash
# Has an exercise's folder all that shared/exercises/README.md asks for? What it lacks, a line each, and
# status 1. usage: complete.sh FOLDER...
status=0
lacks() {
    echo "$home: $1"
    status=1
}
for home; do
    home=${home%/}
    for file in task.cu solution.cu hints.md explanation.md wrong/untouched; do
        [ -s "$home/$file" ] || lacks "there is no $file"
    done
    grep -qs '^---$' "$home/hints.md" || lacks 'fewer than two hints'
    grep -qs '^Try: .' "$home/explanation.md" || lacks 'explanation.md names nothing to try (Try: ...)'
    [ "$(sed '/^Try: /,$d' "$home/explanation.md" 2>/dev/null | grep -o '[.?!:]\( \|$\)' | wc -l)" -ge 2 ] ||
        lacks 'explanation.md has fewer than two sentences'
    grep -qs "^ \* ${home##*/}: ..*[.?]$" "$home/task.cu" || lacks "task.cu has no title ( * ${home##*/}: ...)"
    grep -qsE '^// operation: ' "$home/task.cu" || lacks 'task.cu names no operation'
    grep -qsE '^// (goal|predict): ' "$home/task.cu" || lacks 'task.cu has no goal'
    ! grep -qsE '^// *(operation|multiple|counted|capability|goal|silver|gold):' "$home/solution.cu" ||
        lacks "the solution states goals: they are the task's"
    wrong=0
    for file in "$home"/wrong/*.cu; do
        [ -f "$file" ] || continue
        wrong=$((wrong + 1))
        sed -n 1p "$file" | grep -q '^// refused: ..*' || lacks "${file##*/} does not say what the learner is told (// refused: ...)"
        ! cmp -s "$file" "$home/task.cu" || lacks "${file##*/} is the untouched task"
    done
    [ $wrong -ge 3 ] || lacks "$wrong wrong answers: three are asked for"
    ! grep -rqsw TODO "$home"/{task.cu,solution.cu,hints.md,explanation.md,wrong,right} || lacks 'something is left to do (TODO)'
done
exit $status
