#!/bin/bash
# Steps are found, not listed: shared/ outside tests never names one, no other file names them
# all, and no step includes another. usage: steps_named.sh
. "$(dirname "$0")/tree.sh"

mapfile -t steps < <(for folder in steps/[0-9][0-9]_*/; do [ -L "${folder%/}" ] || basename "$folder"; done)
check "few steps were found: ${#steps[@]}" [ ${#steps[@]} -gt 2 ]
any=$(printf '|%s' "${steps[@]}")
files | grep -vE '^steps/|^plots/results/|^plots/figures/' >"$work/files"

# Lines "FILE:LINE:STEP".
tr '\n' '\0' <"$work/files" | xargs -0 grep -noE "${any#|}" >"$work/named"
grep -vE '^README.md:|^[^:]*tests/[^:]*data/' "$work/named" | cut -d : -f 1,3 | sort -u |
    cut -d : -f 1 | uniq -c >"$work/numbers"
while read -r number file; do
    check "$file lists the steps" [ "$number" -lt $((${#steps[@]} - 1)) ]
done <"$work/numbers"
grep '^shared/' "$work/named" | grep -vE '^shared/([a-z_]+/)?tests/' >"$work/below"
while IFS= read -r place; do
    fail "$place: shared/ names a step"
done <"$work/below"

for step in "${steps[@]}"; do
    found=$(grep -nE "^ *# *include .*(\.\./|steps/)" "steps/$step"/*.cu* | head -n 1)
    check "steps/$step includes another: $found" [ -z "$found" ]
done
finish
