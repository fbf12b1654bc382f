#!/bin/bash
# --handout writes what git tracks, without solutions; from a copy without git it writes the same.
# usage: handout.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../../traffic/tests/checks.sh"
git -c safe.directory='*' -C "$root" rev-parse HEAD >/dev/null 2>&1 ||
    { skip "this is no git checkout"; finish; }

git -c safe.directory='*' clone -q "$root" "$work/book" || exit 1
cd "$work/book" || exit 1
cp "$root"/run_all.sh . && cp -r "$root"/shared/{run_all,exercises} shared # the files under test, with local changes
git add -A
# A teacher's folder also holds files that must not be handed out.
mkdir -p out build "drafts and notes"
touch "drafts and notes/exam.txt" my_solution.cu out/grades.tsv "it's secret" \
    steps/02_smem/smem.cpu steps/01_naive/exercises/naive1_turn/answer.cu{,.old}
rm plots/style.gp

expect 0 ./run_all.sh --handout "$work/hand out"
cd "$work/hand out" || exit 1
check 'a solution' not grep -rqs . steps/*/exercises/*/{solution.cu,answers.txt} shared/exercises/tests
check 'an explanation that tells a prediction' not [ -e steps/00_copy/exercises/copy3_predict/explanation.md ]
check 'no explanation is left' [ -e steps/01_naive/exercises/naive1_turn/explanation.md ]
find . ! -type d ! -name explanation.md | sed 's|^\./||' | sort >"$work/there"
git -C "$work/book" ls-files | grep -vE '^steps/[^/]*/exercises/[^/]*/(solution\.cu|answers\.txt|explanation\.md)$|^shared/exercises/tests/' |
    grep -vxF plots/style.gp | sort >"$work/tracked"
check "$(comm -3 "$work/tracked" "$work/there")" cmp -s "$work/tracked" "$work/there"
check 'tasks are there' [ -f steps/01_naive/exercises/naive1_turn/task.cu ]
check 'run_all.sh can be run' [ -x run_all.sh ]
cp -r "$1" "$work/tools" # valid here too if the sources are equal
EXERCISES_OUT=$work/tools expect 0 ./run_all.sh --exercises --hint naive1_turn

# A student hands the workbook on from a copy without git.
expect 0 ./run_all.sh --handout "$work/again"
says 'no git checkout'
check 'the same again' diff -r "$work/hand out" "$work/again"

expect 2 ./run_all.sh --handout "$work/again"
says 'is not empty'
finish
