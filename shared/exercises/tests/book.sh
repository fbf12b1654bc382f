# Sourced by tests of the exercises' command line, with the folder that tools.sh has made: hands out a
# workbook and changes to its folder.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../../traffic/tests/checks.sh"
# shellcheck disable=SC2034 # for the scripts that source this
originals=$root/steps/01_naive/exercises
book=$work/book
# shellcheck disable=SC2034
exercises=$book/steps/01_naive/exercises

# solve NAME...: makes our solution the answer to each exercise; solve_all does so for the whole step.
solve() {
    local name
    for name; do cp "$originals/$name/solution.cu" "$exercises/$name/answer.cu"; done
}
solve_all() {
    local folder
    for folder in "$originals"/*/; do solve "$(basename "$folder")"; done
}

# run LABEL STATUS REGULAR-EXPRESSION COMMAND...: the command must end with STATUS, and a line of its output match.
run() {
    local label=$1 status=$2 expression=$3 said got
    shift 3
    said=$(timeout 400 "$@" 2>&1 </dev/null)
    got=$?
    if [ "$got" -ne "$status" ]; then
        fail "$label: exit status $got instead of $status: $said"
    elif ! grep -qE -e "$expression" <<<"$said"; then
        fail "$label: it says: $said (expected: $expression)"
    else
        pass
    fi
}
# none TEST...: true if find with these tests finds nothing in the workbook.
none() { [ -z "$(find "$book" "$@")" ]; }

"$root/run_all.sh" --handout "$book" >"$work/said" || { cat "$work/said"; exit 1; }
mkdir -p "$book/out/exercises"
cp -r "$1"/tools-* "$book/out/exercises"
cd "$book" || exit 2
