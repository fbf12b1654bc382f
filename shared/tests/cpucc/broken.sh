#!/bin/sh
# Builds every broken kernel with cpucc and checks that what its comments declare is found, at the
# declared line, with exit status 1. Prints one line for each failure and the last line
# `N passed, N failed`. Arguments: names of some of them, without .cu.
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
[ $# -gt 0 ] || set -- $(cd "$here/broken" && ls *.cu | sed 's/\.cu$//')

one() { # prints nothing if all is as declared
    source=$here/broken/$1.cu
    CPUCC_REPORT=off "$here/../../cpucc/cpucc" -I"$here/../.." "$source" -o "$work/$1" 2>"$work/$1.err" ||
        { echo "$1: does not compile: $(head -1 "$work/$1.err")"; return; }
    CPUCC_REPORT=off timeout 60 "$work/$1" >"$work/$1.out" 2>"$work/$1.err"
    status=$?
    rm -f "$work/$1"
    [ $status -eq 1 ] || { echo "$1: exit status $status instead of 1"; return; }
    marks=$(grep -n 'FAULT: ' "$source" | sed 's/^\([0-9]*\):.*FAULT: \(.*\) \*\/.*/\1:\2/')
    if [ -n "$marks" ]; then
        line=${marks%%:*} kind=${marks#*:}
        grep -q "^\(.*/\)\?$1\.cu:$line: fault: $kind: " "$work/$1.err" ||
            echo "$1: expected '$kind' at line $line, found: $(grep -m1 fault: "$work/$1.err" | sed 's/.*\///')"
    elif grep -q VERIFY "$source"; then
        grep -q '^wrong: ' "$work/$1.out" && ! grep -q fault: "$work/$1.err" ||
            echo "$1: expected a wrong result and no fault, found: $(head -1 "$work/$1.out") $(grep -m1 fault: "$work/$1.err")"
    elif grep -q REFUSED "$source"; then
        grep -q 'refuses this map' "$work/$1.err" || echo "$1: the map was not refused"
    else
        echo "$1: declares nothing"
    fi
}

# Two at a time.
for name; do
    one "$name" >"$work/$name.result" &
    previous=$current current=$!
    [ -z "$previous" ] || wait "$previous"
done
wait
for name; do
    if [ -s "$work/$name.result" ]; then
        cat "$work/$name.result"
        failed=$((failed + 1))
    else
        passed=$((passed + 1))
    fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
