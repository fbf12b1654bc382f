#!/bin/bash
# Checks that every C and CUDA source obeys .clang-format. usage: clang_format.sh [--fix]; --fix formats them.
. "$(dirname "$0")/tree.sh"

for tool in clang-format-14 clang-format; do
    version=$($tool --version 2>/dev/null | grep -oE '[0-9]+' | head -n 1)
    [ "$version" != 14 ] || break
done
if [ "$version" != 14 ]; then
    skip "the tree is formatted with clang-format 14, but this machine has version ${version:-none}"
    finish
fi
mapfile -t all < <(sources)
check "few sources were found: ${#all[@]}" [ ${#all[@]} -gt 100 ]
if [ "${1:-}" = --fix ]; then
    $tool -i "${all[@]}"
    finish
fi
$tool --dry-run "${all[@]}" 2>&1 | sed -n 's/:[0-9]*: warning: code should be clang-formatted.*//p' |
    sort -t : -k 1,1 -u >"$work/found" # the first violation in each file
while IFS= read -r place; do
    fail "does not obey .clang-format: $place (run shared/tests/tree/clang_format.sh --fix)"
done <"$work/found"
finish
