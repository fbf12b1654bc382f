#!/bin/bash
# Tests choose: the way with the least sum is the one that transpose() takes, and bad input is refused.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cp "$shared/transpose/choose.c" "$work"
expect 0 gcc -std=c11 -Wall -Wextra -Wpedantic -Werror "-I$shared" "$work/choose.c" -lm -o "$work/choose"
for shape in "3 100000000" "100000000 3 1" "30001 30001" "32768 32768 16" "65003 13001" "1000 1000" "7 5 4 1000000" \
    "32 32 8 50000"; do
    # shellcheck disable=SC2086 # two to four arguments
    least=$("$work/choose" $shape | awk '/ term / { way = substr($0, 1, 17); sub(/ *$/, "", way) }
        /^ *factor/ && (best == "" || $NF < least) { least = $NF; best = way }
        /^plan: / { print index($0, "plan: " best) == 1 ? "taken" : best " is least, but " $0 }')
    check "choose $shape: $least" [ "$least" = taken ]
done
expect 0 "$work/choose" 1 1000
for arguments in "" 3 "3 x" "3 0" "3 5 3" "3 5 99999999999" "3 5 4 1 1" "100 3000000000"; do
    # shellcheck disable=SC2086 # any number of arguments
    expect 2 "$work/choose" $arguments
done
finish
