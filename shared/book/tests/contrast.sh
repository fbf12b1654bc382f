#!/bin/bash
# Every text on every kind of page has a contrast of at least 4.5 with its background, in light and dark.
# usage: contrast.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser
[ -d "$book/steps" ] || { skip 'no book was made'; finish; }
code=$(grep -v '^ *\*\|^/\*' "$(dirname "$0")/contrast.js" | tr '\n' ' ')
kinds=(index.html steps/02_smem/index.html steps/02_smem/exercises.html bench.html plots/results/h200/index.html
    shared/cpucc/index.html "$(cd "$book" && find steps -name '*.cu.html' | head -n 1)")
{
    echo 'size 1280 1000'
    for scheme in light dark; do
        echo "media $scheme"
        for page in "${kinds[@]}"; do
            echo "open file://$book/$page"
            echo "eval new Promise((later) => setTimeout(later, 500))"
            echo "say $scheme $page"
            echo "eval $code"
        done
    done
} | drive
while read -r scheme page; do
    read -r _ texts found
    check "$page, $scheme: few texts: $texts" [ "$texts" -gt 30 ]
    check "$page, $scheme: too little contrast: $found" [ "$found" = '{}' ]
done < <(grep -E '^(light|dark|contrast) ' "$work/out")
check 'not all were seen' [ "$(grep -c '^contrast' "$work/out")" -eq $((2 * ${#kinds[@]})) ]
finish
