#!/bin/bash
# Steps are found, not listed: shared/ outside shared/tests never names one, no other file names them
# all, and no step includes another. usage: steps_named.sh
. "$(dirname "$0")/tree.sh"

mapfile -t steps < <(for folder in steps/[0-9][0-9]_*/; do [ -L "${folder%/}" ] || basename "$folder"; done)
check "few steps were found: ${#steps[@]}" [ ${#steps[@]} -gt 2 ]
any=$(printf '|%s' "${steps[@]}")
files | grep -vE '^steps/|^plots/results/|^plots/figures/' >"$work/files"

while IFS= read -r file; do
    case $file in
    README.md | shared/tests/*/data/*) ;;
    shared/tests/* | plots/* | [!s]*)
        named=$(grep -oE "${any#|}" "$file" | sort -u | wc -l)
        [ "$named" -lt $((${#steps[@]} - 1)) ] || fail "$file lists the steps"
        ;;
    shared/*)
        found=$(grep -noE "${any#|}" "$file" | head -n 1)
        [ -z "$found" ] || fail "$file:$found: names a step"
        ;;
    esac
done <"$work/files"

for step in "${steps[@]}"; do
    found=$(grep -nE "^ *# *include .*(\.\./|steps/)" "steps/$step"/*.cu* | head -n 1)
    check "steps/$step includes another: $found" [ -z "$found" ]
done
finish
