#!/bin/bash
# The page of a step's kernels by keyboard alone: lines, the slider, the player, which stops at a
# conflict. The address keeps the state. usage: player.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser
page=steps/02_smem/player.html
[ -f "$book/$page" ] || { skip 'no player was made'; finish; }

# focus SELECTOR; later MS: wait that long; event LABEL: print what the player shows
focus() { echo "eval (document.querySelector('$1').focus(), 'at: ' + document.activeElement.outerHTML.slice(0, 40))"; }
later() { echo "eval new Promise((done) => setTimeout(done, $1))"; }
event() { echo "eval '$1: ' + document.querySelector('.say').dataset.event + ' ' + document.querySelector('.say').dataset.kind"; }
commands() {
    echo 'size 1280 900'
    echo "open file://$book/$page"
    later 300
    echo "eval 'begins with: ' + document.querySelector('#detail h2').textContent"
    focus .chip
    echo 'key Enter'
    echo "eval 'chosen: ' + document.querySelector('#detail h2').textContent"
    focus '#slider'
    for ((i = 0; i < 5; i++)); do echo 'key ArrowRight'; done
    echo 'key ArrowLeft'
    event slider
    focus '#play'
    echo 'key Enter'
    echo "eval new Promise(function wait(done) { document.querySelector('#play').textContent.includes('stop') ? setTimeout(wait, 50, done) : done() })"
    event played
    echo "eval 'button: ' + document.querySelector('#play').textContent"
    later 400
    echo "eval 'address: ' + location.hash"
    later 400
    echo "eval (() => { const strip = document.querySelector('svg.strip'), r = strip.getBoundingClientRect(); strip.dispatchEvent(new MouseEvent('click', {clientX: r.left + r.width / 2, clientY: r.top + r.height * 5.5 / 32})); return 'row: ' + document.querySelector('.say').textContent; })()"
    echo "eval 'width: ' + (() => { const strip = document.querySelector('svg.strip'); document.querySelector('#play').focus(); const wide = () => Number(document.querySelector('#cursor').getAttribute('width')); const all = {}; for (const at of [0, 65]) { document.querySelector('#slider').value = at; document.querySelector('#slider').dispatchEvent(new Event('input')); all[at] = wide(); } return Math.round(all[65] / all[0]); })()"
    echo 'key ArrowRight'
    event arrow
    echo "eval Array.from(document.querySelectorAll('.verdict button')).find((one) => one.textContent === 'in the player').click()"
    event verdict
    echo "eval 'jump: ' + document.activeElement.id"
    echo "eval document.querySelector('#play').click()"
    echo "eval (async () => { document.querySelector('#event summary').focus(); await new Promise((done) => setTimeout(done, 600)); return 'tab while it plays: ' + document.activeElement.tagName + ' ' + document.querySelector('#play').textContent; })()"
    echo "eval 'way back: ' + document.querySelector('a[href=\"index.html\"]').checkVisibility()"
    echo "eval 'kernel: ' + document.querySelector('#kernel option').textContent"
    echo "eval 'advice: ' + ['[data-tried]', '[data-advice]'].map((one) => document.querySelector(one).checkVisibility()).join(' ') + ' ' + (document.querySelector('#advice').click(), document.querySelector('[data-tried]').checkVisibility())"
    echo "eval 'tried: ' + document.querySelector('[data-tried=tile]').textContent"
    echo "eval (() => { const press = (text) => Array.from(document.querySelectorAll('#player button')).find((one) => one.textContent === text).click(); document.querySelector('#slider').value = 33; document.querySelector('#slider').dispatchEvent(new Event('input')); const was = document.querySelector('.say').textContent.replace(/^[0-9]* /, ''); press('warps take turns'); const same = was === document.querySelector('.say').textContent.replace(/^[0-9]* /, ''); press('|◀ first'); press('forward ▶'); const turn = document.querySelector('.say').textContent; press('one warp after the other'); return 'turns: ' + same + ' ' + turn; })()"
    echo "eval 'live pictures: ' + document.querySelectorAll('[aria-live] svg, [aria-live] table, [role=status] svg').length"
    later 400 # the page writes its address that late
    echo "open file://$book/$page#embed=1"
    later 300
    echo "eval 'embedded: ' + document.querySelector('.say').dataset.kind + ' ' + document.querySelector('#kernel').checkVisibility() + ' ' + document.querySelector('#totals').checkVisibility()"
    echo "open file://$book/steps/02_smem/index.html"
    echo "eval (document.querySelector('details.player').open = true, document.querySelector('.player iframe').scrollIntoView())"
    later 1500
    echo "eval 'height in a lesson: ' + document.querySelector('.player iframe').style.height"
    echo "eval (() => { const choice = document.querySelector('.player select'); choice.selectedIndex = 3; choice.dispatchEvent(new Event('change')); })()"
    later 1500
    echo "eval 'beside: ' + Array.from(document.querySelectorAll('.player iframe')).map((one) => parseInt(one.style.height) > 500 && one.offsetTop).join(' ')"
    echo 'size 390 800'
    echo "open file://$book/$page#embed=1"
    later 300
    echo "eval 'on a phone: ' + Array.from(document.querySelectorAll('#player text')).map((one) => one.getBoundingClientRect().height).filter((high) => high > 0 && high < 10).length + ' ' + (document.documentElement.scrollWidth <= 390)"
}
drive < <(commands)
says '^begins with: Line [0-9]*: shared load'
says '^chosen: Line [0-9]*: global load'
says '^slider: 4 access'
says '^played: 65 conflict'
says '^button: .*play'
says '^address: #.*play=65'
says '^row: .*warp 5'
says '^width: \(1[3-9]\|[23][0-9]\)$'
says '^arrow: 66 '
says '^verdict: 65 conflict'
says '^jump: slider'
says '^tab while it plays: SUMMARY .*play'
says '^way back: true'
says '^kernel: tile32 '
says '^advice: false false true'
says '^tried: .*tile\[32\]\[33\] instead of tile\[32\]\[32\]: its 256 requests would take 256 wavefronts, the least possible'
says '^turns: true 2 of 129 .*warp 1:'
says '^beside: \([0-9]*\) \1$'
says '^on a phone: 0 true'
says '^live pictures: 0'
says '^embedded: conflict true false'
says '^height in a lesson: [0-9]*px'
finish
