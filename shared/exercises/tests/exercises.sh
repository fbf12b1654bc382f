# Functions for the tests of the exercises' checker: sourced, after setting `tools`, a folder that
# tools.sh has made, and `name`, an exercise.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../../traffic/tests/checks.sh"
TOOLS=$(echo "${tools:?}"/tools-*)
export TOOLS EXERCISES_HOME=$root EXERCISES_OUT=$work/out LC_ALL=C
export EXERCISE_SECONDS=10 # the checker's own limit on a run
export EXERCISE_PATIENCE=300 # a test machine may be busy for that long
mkdir "$EXERCISES_OUT"

# home_of NAME: the folder of an exercise.
home_of() {
    local folder
    for folder in "$root"/steps/[0-9][0-9]_*/exercises/"$1"; do
        [ -L "${folder%/exercises/*}" ] || { echo "$folder" && return; }
    done
}
: "${home:=$(home_of "$name")}"

exercise() { cat "$home/task.cu"; }
solution() { cat "$home/solution.cu"; }

# answer LABEL STATUS REGULAR-EXPRESSION <FILE: checks one answer. Its status must be STATUS (solved, unsolved or
# environment), and a line of the message must match.
answer() {
    local said status
    cat >"$work/answer.cu"
    "$TOOLS/checker" --judge "$name" "$work/answer.cu" >"$work/verdict" 2>"$work/noise"
    status=$(head -n 1 "$work/verdict" 2>/dev/null | cut -f 1)
    said=$(tail -n +2 "$work/verdict" 2>/dev/null | grep -v -e $'^count\t' -e $'^\f')
    if [ "$status" != "$2" ]; then
        fail "$name, $1: ${status:-no verdict} instead of $2: $said"
    elif [ -n "$3" ] && ! grep -qE -e "$3" <<<"$said"; then
        fail "$name, $1: it says: $said (expected: $3)"
    else
        pass
    fi
}
