#!/bin/bash
# Builds the checker and its tools into a folder, once for all tests of exercises.
# usage: tools.sh FOLDER
. "$(dirname "$0")/../../traffic/tests/checks.sh"
for first in "$root"/steps/[0-9][0-9]_*/exercises/*/; do break; done
EXERCISES_OUT=$1 "$root/run_all.sh" --exercises "$(basename "$first")" >"$work/out" 2>"$work/err"
for checker in "$1"/tools-*/checker; do
    check "the checker could not be built: $(cat "$work/err")" [ -x "$checker" ]
done
finish
