# Functions for the tests of the exercises' checker: sourced, after setting `tools`, a folder that
# tools.sh has made, and `name`, an exercise.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../checks.sh"
TOOLS=$(echo "${tools:?}"/tools-*)
export TOOLS
export EXERCISE_SECONDS=10 # the checker's own limit on a run
wrongs=0
told=0

# step_folder NAME, solution_file NAME: where those of an exercise are.
step_folder() {
    local folder word=$1
    for folder in "$root"/steps/[0-9][0-9]_"${word%%[0-9]*}"*; do
        [ -L "$folder" ] || { echo "$folder" && return; }
    done
}
solution_file() { echo "$(step_folder "$1")/solutions/$1.cu"; }

exercise() { cat "$root/shared/exercises/originals/$name.cu"; }
solution() { cat "$(solution_file "$name")"; }
solution_of() { cat "$(solution_file "$1")"; }

# answer LABEL STATUS REGULAR-EXPRESSION <FILE: checks one answer, which must be `solved` or
# `unsolved`, the learner being told what matches.
answer() {
    local said status
    cat >"$work/answer.cu"
    rm -f "$work/verdict"
    "$root/shared/exercises/check_one.sh" "$name" "$work/answer.cu" "$work/verdict"
    status=$(head -n 1 "$work/verdict" 2>/dev/null | cut -f 1)
    said=$(tail -n +2 "$work/verdict" 2>/dev/null)
    if [ "$status" != "$2" ]; then
        fail "$name, $1: ${status:-no verdict} instead of $2: $said"
    elif [ -n "$3" ] && ! grep -qE -e "$3" <<<"$said"; then
        fail "$name, $1: it says: $said (expected: $3)"
    else
        pass
    fi
}

# refused REGULAR-EXPRESSION <FILE: an answer that must not pass, whatever it does.
refused() { answer 'an answer' unsolved "$1"; }

# For wrong/NAME.sh, see shared/exercises/README.md.
# shellcheck disable=SC2034 # answers.sh asks for it
untouched() { told=1 && answer untouched unsolved "$1" < <(exercise); }
right() { answer 'a right answer' solved ''; }
wrong() {
    wrongs=$((wrongs + 1))
    cat >"$work/given"
    if exercise | cmp -s - "$work/given" || solution | cmp -s - "$work/given"; then
        fail "$name, wrong answer $wrongs: it is the exercise or the solution, unchanged"
    else
        answer "wrong answer $wrongs" unsolved "$1" <"$work/given"
    fi
}

# For cheats/*.sh: the solution with more in its launch function, before or after the launch.
launching() {
    solution | awk -v before="$1" -v after="$2" '
        /^static void launch/ {inside = 1}
        inside && /^{/ {print; print before; next}
        inside && /^}/ {print after; inside = 0}
        {print}'
}
without_launch() { launching "$1" "" | sed '/^ *transpose<<</d'; }
above() { solution | sed "/^#include/a\\
$1"; }
