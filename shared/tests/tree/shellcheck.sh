#!/bin/bash
# Checks every shell script with the program shellcheck. usage: shellcheck.sh
. "$(dirname "$0")/tree.sh"
command -v shellcheck >/dev/null || { skip "shellcheck is not installed"; finish; }

for shell in sh bash; do
    mapfile -t all < <(scripts $shell)
    echo "$shell: ${#all[@]} scripts"
    [ ${#all[@]} -gt 0 ] || continue
    printf '%s\0' "${all[@]}" | xargs -0 -n 40 -P 2 shellcheck -s $shell -f gcc >"$work/found" 2>&1
    check "shellcheck found something" [ ! -s "$work/found" ]
    cat "$work/found"
done
finish
