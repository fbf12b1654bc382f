#!/bin/bash
# Every exercise is complete, and one that lacks anything is refused. usage: incomplete.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
complete=$(dirname "$0")/complete.sh

folders=()
for folder in "$root"/steps/[0-9][0-9]_*/exercises/*/; do
    [ -L "${folder%/exercises/*}" ] || folders+=("$folder")
done
[ -f "${folders[0]}solution.cu" ] || { skip 'a copy without solutions'; finish; }
check 'an exercise is not complete' "$complete" "${folders[@]}"

# without LABEL WORDS COMMAND: a copy to which COMMAND was done, in it.
without() {
    rm -rf "$work/naive4_stores"
    cp -r "$root/steps/01_naive/exercises/naive4_stores" "$work"
    (cd "$work/naive4_stores" && eval "$3") || fail "$1: $3"
    expect 1 "$complete" "$work/naive4_stores"
    says "$2"
    check "$1: it says only that: $(cat "$work/out")" [ "$(wc -l <"$work/out")" = 1 ]
}
check 'this one is complete' "$complete" "$root/steps/01_naive/exercises/naive4_stores"
without 'no solution' 'there is no solution.cu' 'rm solution.cu'
without 'no words for the untouched task' 'there is no wrong/untouched' 'rm wrong/untouched'
without 'one hint' 'fewer than two hints' 'sed -i /^---/,\$d hints.md'
without 'nothing to try' 'names nothing to try' 'sed -i s/^Try:/Then/ explanation.md'
without 'one sentence' 'fewer than two sentences' 'printf "It works.\nTry: more.\n" >explanation.md'
without 'two wrong answers' '2 wrong answers' 'while [ "$(ls wrong/*.cu | wc -l)" -gt 2 ]; do rm "$(ls wrong/*.cu | head -n 1)"; done'
without 'a wrong answer without words' 'does not say what the learner is told' 'for f in wrong/*.cu; do sed -i 1d $f; break; done'
without 'no goal' 'has no goal' 'sed -i "/^\/\/ goal:/d" task.cu'
without 'no title' 'has no title' 'sed -i "2s/: .*/:/" task.cu'
without 'left to do' 'something is left to do' 'echo "TODO more" >>hints.md'
finish
