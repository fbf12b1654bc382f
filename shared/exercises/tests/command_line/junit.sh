#!/bin/bash
# --junit: results for a course's grading system.
# usage: junit.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

solve_all
cp "$originals/naive4_stores/task.cu" "$exercises/naive4_stores/answer.cu"
run 'junit' 1 '5 of 6 solved' ./run_all.sh --exercises 01 --junit "$work/results.xml"
check 'it counts' grep -q '<testsuite name="exercises" tests="6" failures="1">' "$work/results.xml"
check 'it has every exercise' [ "$(grep -c '<testcase ' "$work/results.xml")" = 6 ]
check 'it says why' grep -q 'name="naive4_stores">' "$work/results.xml"
check 'it escapes what is said' \
    grep -q 'message="the stores take 65536 sectors in all (global_store); the goal is at most 8192' "$work/results.xml"
if command -v xmllint >/dev/null; then
    check 'it is well-formed' xmllint --noout "$work/results.xml"
else
    skip 'xmllint is not installed: whether the XML is well-formed'
fi
run 'junit nowhere' 2 'cannot write there' ./run_all.sh --exercises 01 --junit "$work/none/x.xml"
finish
