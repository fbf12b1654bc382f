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
# Without colours, used bytes, wasted bytes and idle banks still differ.
declare -A brightness
for theme in 0 1; do
    for name in used waste idle; do
        brightness[$name]=$(grep -oE -- "--$name: #[0-9a-f]{6}" "$book/style.css" | sed -n "$((theme + 1))s/.*#//p")
    done
    python3 - "${brightness[@]}" <<'END' || fail "theme $theme: two colours are equally bright"
import itertools, sys
parts = [[((int(c[i:i + 2], 16) / 255 + 0.055) / 1.055) ** 2.4 for i in (0, 2, 4)] for c in sys.argv[1:]]
light = [0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05 for r, g, b in parts]
sys.exit(len(light) != 3 or any(max(pair) / min(pair) < 1.5 for pair in itertools.combinations(light, 2)))
END
done
check 'not all were seen' [ "$(grep -c '^contrast' "$work/out")" -eq $((2 * ${#kinds[@]})) ]
finish
