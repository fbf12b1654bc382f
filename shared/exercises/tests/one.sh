#!/bin/bash
# Tests one exercise for its writer: its files, solution, untouched task, right and wrong answers. usage: one.sh NAME
unset CDPATH # or cd may go elsewhere
here=$(cd "$(dirname "$0")" && pwd)
for folder in "$here"/../../../steps/[0-9][0-9]_*/exercises/"${1:?which exercise?}"; do
    [ -L "${folder%/exercises/*}" ] || break
done
[ -d "$folder" ] || { echo "one.sh: there is no exercise $1" >&2; exit 2; }
tools=${TMPDIR:-/tmp}/exercise_tools.$(id -u)
"$here/tools.sh" "$tools" >/dev/null && exec "$here/answers.py" "$tools" "$folder"
