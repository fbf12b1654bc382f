#!/bin/bash
# --grade: a part of a workbook, a flat folder with something that hangs, and an empty one.
# usage: grade.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

solve_all
mkdir -p "$work/anna/steps" "$work/ben" "$work/nobody"
cp -r "$book"/steps/01_naive "$work/anna/steps"
cp "$originals/naive1_turn/solution.cu" "$work/ben/naive1_turn.cu"
sed 's/^    if (row < rows/    for (volatile int i = 0; i < 2; i = 0) { }\n&/' \
    "$originals/naive4_stores/solution.cu" >"$work/ben/naive4_stores.cu"
EXERCISE_SECONDS=2 run 'grade' 0 'anna .* 6/6 ' \
    ./run_all.sh --grade "$work/anna" "$work/ben" "$work/nobody"
grades=$book/out/exercises/grades.tsv
row() { grep -qP "^$work/$1\t[^\t]*\t$2\t$3\t$4\t" "$grades"; }
check 'a header' \
    [ "$(head -n 1 "$grades")" = "$(printf 'submission\tstep\texercise\tstatus\treason\tsaid\tmedal')" ]
check 'solved' row anna naive3_predict solved solved
check 'solved, of a flat folder' row ben naive1_turn solved solved
check 'what hangs is stopped' row ben naive4_stores unsolved time
check 'what is missing' row nobody naive1_turn unsolved missing
check 'every exercise of every submission' \
    [ "$(wc -l <"$grades")" = $((1 + 3 * $(find "$root/steps" -name task.cu | wc -l))) ]

# Judged once: three of the same, again, and what a call had done that was interrupted.
kept() { find "$book/out/exercises/kept" -name "$1-*.cu" | wc -l; }
mkdir "$work"/{one,two,three}
for name in one two three; do cp "$originals/naive1_turn/solution.cu" "$work/$name/naive1_turn.cu"; done
echo '// of three' | tee -a "$work"/{one,two,three}/naive1_turn.cu >/dev/null
before=$(kept naive1_turn)
run 'grade the same three times' 0 'three .* 1/6 ' ./run_all.sh --grade "$work"/{one,two,three}
check 'it is judged once' [ $(($(kept naive1_turn) - before)) = 1 ]
touch "$work/stamp"
sed -i 's/^solved\tsolved/unsolved\tmarked/' "$book"/out/exercises/kept/*/naive1_turn-*[0-9a-f]
run 'what was judged is not judged again' 0 'three .* 0/6 ' ./run_all.sh --grade "$work"/{one,two,three}
check 'nothing new is kept' [ -z "$(find "$book/out/exercises/kept" -name 'naive1_turn-*.cu' -newer "$work/stamp")" ]
run 'grade nobody' 2 'at least one submission' ./run_all.sh --grade
run 'grade what is not there' 2 'is no folder' ./run_all.sh --grade "$work/zoe"
finish
