#!/bin/bash
# --handout DIR: writes the workbook to DIR, without solutions and without the tests of the exercises.
# run_all.sh passes its options on.
set -u
unset CDPATH
root=$(cd "$(dirname "$0")/../.." && pwd)

wrong_usage() {
    echo "run_all.sh: $1 (--exercises --help lists the options)" >&2
    exit 2
}

# Prints the paths of the workbook's files, each ended by a zero byte. In a git checkout these are the tracked
# files; elsewhere all files but build outputs and answers.
workbook_files() {
    # Without safe.directory, git refuses to read another user's folder.
    if git -c safe.directory='*' -C "$root" ls-files --error-unmatch run_all.sh >/dev/null 2>&1; then
        git -c safe.directory='*' -C "$root" ls-files -z
    else
        echo "this is no git checkout: all files are handed out but build outputs and answers" >&2
        (cd "$root" && find . -path ./out -prune -o -path ./build -prune -o -path ./.git -prune -o \
            ! -type d ! -name '*.cpu' ! -name '*.o' ! -name answer.cu ! -name answer.cu.old -print0)
    fi
}

handout() {
    local to=$1 file
    [ ! -e "$to" ] || [ -z "$(ls -A "$to" 2>/dev/null)" ] || wrong_usage "--handout $to: is not empty"
    mkdir -p "$to" || wrong_usage "--handout $to: cannot write there"
    to=$(cd "$to" && pwd)
    workbook_files >"$to/.files" || exit 1
    # An explanation gives the answer away if that is a prediction, a blank to fill in, or a size.
    grep -lE '___|goal: shared_bytes' "$root"/steps/*/exercises/*/task.cu 2>/dev/null |
        sed "s,^$root/,,; s,task[.]cu$,explanation.md," >"$to/.told"
    (cd "$root" && grep -zvE '^(\./)?(steps/[^/]*/exercises/[^/]*/(solution\.cu|answers\.txt)$|shared/exercises/tests/)' \
        "$to/.files" | grep -zvF -f <(cat "$to/.told"; echo ' none ') |
        while IFS= read -r -d '' file; do
            if [ -e "$file" ] || [ -L "$file" ]; then printf '%s\0' "$file"; fi
        done | tar -cf - --null --no-recursion -T -) | tar -xf - -C "$to" || exit 1
    rm "$to/.files" "$to/.told"
    echo "the workbook without solutions is in $to; students start with: ./run_all.sh --exercises"
}

[ -n "${2:-}" ] || wrong_usage "--handout: a value is needed after it"
[ $# -eq 2 ] || wrong_usage "--handout takes one folder and no other option: $3"
to=$2
[[ $to != -* ]] || wrong_usage "--handout $to: a folder is needed (./$to if it is called that)"
case $to in /*) ;; *) to=${EXERCISES_CALLER:+$EXERCISES_CALLER/}$to ;; esac
handout "$to"
