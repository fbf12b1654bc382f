#!/bin/bash
# --handout: the workbook without its solutions.
# usage: handout.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

run 'handout' 0 'is in .*second' "$root/run_all.sh" --handout "$work/second"
check 'it has no solutions' none -name solution.cu
check 'it has no wrong answers' none -name answers.txt
check 'it is no repository' none -name .git
run 'handout into a folder in use' 2 'is not empty' "$root/run_all.sh" --handout "$book"
finish
