#!/bin/bash
# Every exercise is complete, and complete.py names what an incomplete exercise lacks. usage: incomplete.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
complete=$(dirname "$0")/complete.py

folders=()
for folder in "$root"/steps/[0-9][0-9]_*/exercises/*/; do
    [ -L "${folder%/exercises/*}" ] || folders+=("$folder")
done
[ -f "${folders[0]}solution.cu" ] || { skip 'a copy without solutions'; finish; }
check 'an exercise is not complete' "$complete" "${folders[@]}"

# without LABEL WORDS COMMAND: runs COMMAND in a copy of an exercise; complete.py must then print WORDS alone.
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
without 'no answers' 'there is no answers.txt' 'rm answers.txt'
without 'no words for the untouched task' 'does not say what is told of the untouched task' 'sed -i /^untouched:/d answers.txt'
without 'one hint' 'fewer than two hints' 'sed -i /^---/,\$d hints.md'
without 'nothing to try' 'names nothing to try' 'sed -i s/^Try:/Then/ explanation.md'
without 'one sentence' 'fewer than two sentences' 'printf "It works.\nTry: more.\n" >explanation.md'
without 'two wrong answers' '2 wrong answers' 'sed -i "/^wrong: d/,\$d" answers.txt'
without 'a wrong answer without words' 'does not say what the learner is told' 'sed -i "0,/^told:/{/^told:/d}" answers.txt'
without 'an answer that is the task' 'is task itself' 'printf "\nwrong: it\ntold: wrong\nfrom: task\n" >>answers.txt'
without 'two answers of a name' 'two answers of these words' 'grep ^wrong: answers.txt | head -n 1 >x && cat x >>answers.txt'
without 'a patch that fits nowhere' 'are there 0 times, not once' 'printf "\n- int nowhere;\n" >>answers.txt'
without 'a patch that fits twice' 'are there 2 times, not once' 'printf "\n- }\n" >>answers.txt'
without 'an unknown kind' 'no kind of message is called nonsense' 'sed -i "0,/^told:/s/^told:.*/told: nonsense/" answers.txt'
without 'an unknown key' 'neither a key' 'echo "because: of this" >>answers.txt'
without 'no goal' 'has no goal' 'sed -i "/^\/\/ goal:/d" task.cu'
without 'no title' 'has no title' 'sed -i "2s/: .*/:/" task.cu'
without 'left to do' 'something is left to do' 'echo "TODO more" >>hints.md'
finish
