#!/bin/bash
# axe-core finds no violation on any kind of page, on a wide window and on a phone, light and dark.
# usage: axe.sh FOLDER   AXE: the file axe.min.js, if no Python package brings it (pip install axe-playwright-python)
. "$(dirname "$0")/browser.sh"
find_browser
[ -d "$book/steps" ] || { skip 'no book was made'; finish; }
axe=${AXE:-$(python3 -c 'import importlib.util as u, pathlib
print(pathlib.Path(u.find_spec("axe_playwright_python").origin).with_name("axe.min.js"))' 2>/dev/null)}
[ -f "$axe" ] || { skip 'no axe-core here (pip install axe-playwright-python, or AXE=FILE)'; finish; }
kinds=(index.html steps/02_smem/index.html steps/02_smem/exercises.html steps/02_smem/player.html steps/09_many_gpus/index.html
    bench.html plots/results/h200/index.html "$(cd "$book" && find steps -name '*.cu.html' | head -n 1)")
count=0
while read -r media width; do
    echo "media $media"
    echo "size $width 900"
    for page in "${kinds[@]}"; do
        [ -f "$book/$page" ] || continue
        echo "open file://$book/$page"
        echo 'eval (document.querySelectorAll("main details:not(.player)").forEach((fold) => { fold.open = true; }), new Promise((later) => setTimeout(later, 600)))'
        echo "load $axe"
        echo "eval axe.run({preload: false}).then((found) => 'axe $media $width $page: ' + found.passes.length + ' ' + found.violations.map((one) => one.id + ' ' + one.nodes[0].html.slice(0, 120)).join(' | '))"
    done
done <<<$'light 1280\ndark 390' | drive
while IFS= read -r line; do
    check "$line" grep -qE ': [1-9][0-9]+ $' <<<"$line"
    count=$((count + 1))
done < <(grep '^axe ' "$work/out")
check "$count pages" [ $count -ge 14 ]
finish
