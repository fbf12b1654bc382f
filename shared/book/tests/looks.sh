#!/bin/bash
# How the pages look at 1280 and 390 px, in light and dark: texts have contrast and at least 10 px, nothing is wider than the
# window, dark is dark. Live figures, the lab and the tried edits keep their meaning without colours, in forced colours and on
# paper. axe-core finds no violation. Without scripts every page can be read.
# usage: looks.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser
[ -d "$book/steps" ] || { skip 'no book was made'; finish; }
code=$(grep -v '^ *\*\|^/\*' "$(dirname "$0")/looks.js" | tr '\n' ' ')
kinds=(index.html steps/02_smem/index.html steps/02_smem/exercises.html bench.html plots/results/h200/index.html
    shared/cpucc/index.html "$(cd "$book" && find steps -name '*.cu.html' | head -n 1)")
[ ! -f "$book/steps/02_smem/player.html" ] || kinds+=(steps/02_smem/player.html)
wait_for() { echo "eval new Promise((later) => setTimeout(later, $1))"; }
shown() { # PAGE: opens it, with a run in its lab, and shows what is folded
    echo "open file://$book/$1"
    echo "eval document.querySelectorAll('details:not(.player, .lab), [data-lab=smem1_read]').forEach((fold) => { fold.open = true; })"
    wait_for 500
    echo "eval (async () => { const run = document.querySelector('[data-lab=smem1_read] button'); if (run) { const field = run.parentElement.querySelector('textarea'); field.value = field.value.replaceAll('___', '0'); run.click(); while (document.querySelector('[aria-busy]')) await new Promise((later) => setTimeout(later, 20)); } })()"
}
# places: a function that returns where a figure's cells are, by their kind or their bank, and hides what is written in them
places="(figure) => { const box = figure.getBoundingClientRect(), all = {};"
places+=" figure.querySelectorAll('.lane').forEach((one) => { one.style.visibility = 'hidden'; });"
places+=" const take = (name, cell) => { const {left, top, width, height} = cell.getBoundingClientRect(); all[name] = [left - box.left + width - height, top - box.top, height, height]; };"
places+=" ['used', 'waste'].forEach((kind) => take(kind, figure.querySelector('.' + kind + ' rect')));"
places+=" take('idle', Array.from(figure.querySelectorAll('rect.idle')).pop());"
places+=" figure.querySelectorAll('.shade').forEach((cell) => { const bank = cell.style.getPropertyValue('--bank'); if ([1, 16, 31].includes(Number(bank))) take('bank' + bank, cell); }); return JSON.stringify(all); }"
in_media() { # NAME SELECTOR: where the cells of this figure are, and a picture of it, without colours and on paper too
    local media
    for media in light grey dark darkgrey forced print; do
        [[ $media = *grey ]] || echo "media $media"
        [[ $media != *grey ]] || echo "eval document.documentElement.style.filter = 'grayscale(1)'"
        wait_for 300
        echo "eval 'cells $1.$media ' + ($places)(document.querySelector('$2'))"
        echo "shot $work/figure$1.$media.png $2"
        echo "eval document.documentElement.style.filter = ''"
    done
}
{
    for width in 1280 390; do
        echo "size $width 900"
        for page in "${kinds[@]}"; do
            for scheme in light dark; do
                echo "media $scheme"
                shown "$page"
                echo "say $scheme $width $page"
                echo "eval $code"
                [[ $width$scheme != @(1280light|390dark) ]] || echo axe
                echo "eval document.documentElement.style.cssText = 'transform: scale(0.05); transform-origin: 0 0'"
                echo "shot $work/$width.${page//\//_}.$scheme.png html"
            done
        done
        shown steps/02_smem/index.html
        in_media $width 'figure[data-figure=banks]'
        echo "eval 'on paper: $width ' + document.querySelector('.told').checkVisibility() + ' ' + Array.from(document.querySelectorAll('.knobs, .player')).some((one) => one.checkVisibility())"
        shown steps/02_smem/exercises.html
        echo "eval 'lab: $width ' + document.querySelector('[data-lab=smem1_read] .goals li').textContent.split(':')[0] + ' ' + document.querySelector('[data-lab=smem1_read] button').checkVisibility()"
        if [ -f "$book/steps/02_smem/player.html" ]; then
            echo "open file://$book/steps/02_smem/player.html"
            wait_for 300
            echo "eval 'tried: $width ' + (document.querySelector('#advice').click(), document.querySelector('[data-tried]').checkVisibility())"
            echo "eval Array.from(document.querySelectorAll('button')).find((one) => one.textContent === 'next conflict').click()"
            in_media player$width '#event [data-picture=banks]'
        fi
    done
    echo unscripted
    for page in steps/02_smem/index.html bench.html; do
        echo "open file://$book/$page"
        echo "eval 'unscripted ' + document.getElementById('text').innerText.length + ' ' + document.querySelectorAll('textarea, .copy').length + ' ' + document.querySelector('.search').checkVisibility() + ' ' + Array.from(document.querySelectorAll('noscript')).some((one) => /JavaScript/.test(one.textContent))"
    done
} >"$work/commands"
drive <"$work/commands"
while read -r word rest; do
    case $word in
        light | dark) page="$rest in $word" ;;
        looks) check "$page: few texts, or: ${rest#* }" grep -qE '^[0-9]{2,} \{\}$' <<<"$rest" ;;
        axe) check "$page: ${rest#* }" grep -qE '^[1-9][0-9]* \[\]$' <<<"$rest" ;;
    esac
done <"$work/out"
check 'not all were seen' [ "$(grep -c '^looks' "$work/out")" -eq $((4 * ${#kinds[@]})) ]
check 'not all figures were seen' [ "$(grep -c '^cells [0-9]' "$work/out")" -eq 12 ]
for width in 1280 390; do
    says "^on paper: $width true false"
    says "^lab: $width not met false"
    [ ! -f "$book/steps/02_smem/player.html" ] || { says "^tried: $width true" && says "^cells player$width.print {"; }
done
check "the lesson without scripts: $(grep -m 1 ^unscripted "$work/out")" grep -qE '^unscripted [0-9]{4,} 0 false false$' "$work/out"
check "the bench without scripts" grep -qE '^unscripted [0-9]{3,} 0 false true$' "$work/out"
cp "$work/out" "$work/seen"
expect 0 python3 -B "$(dirname "$0")/looks.py" "$work" <"$work/seen"
while IFS= read -r line; do fail "$line"; done <"$work/out"
finish
