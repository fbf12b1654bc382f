#!/bin/bash
# Firefox opens lessons, exercises and the bench without an error or a request to a network; a key moves a live figure,
# the player and the bench count, and the lab judges an answer. usage: firefox.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser firefox-esr firefox
grep -q labBase64 "$book/lab.js" 2>/dev/null || { skip 'no book with a lab was made'; finish; }
lab='[data-lab=smem1_read]'
{
    echo 'size 1280 900'
    for page in "$book"/{index.html,steps/0[1245]_*/index.html,bench.html}; do
        echo "open file://$page"
        echo "eval 'page ' + document.getElementById('text').innerText.length + ' ' + Boolean(document.querySelector('.search:not([hidden])'))"
    done
    echo "eval (async () => { while (!document.body.dataset.done) await new Promise((later) => setTimeout(later, 5)); return 'bench: ' + document.getElementById('sum').textContent; })()"
    echo "open file://$(grep -rlE 'data-figure=padding\b' "$book/steps" --include=index.html | LC_ALL=C sort | head -n 1)"
    echo "eval (() => { const box = document.querySelector('figure[data-figure=padding]'), fold = box.closest('details'); if (fold) fold.open = true; box.querySelector('input[value=\"0\"]').focus(); })()"
    for key in ArrowRight ArrowLeft; do
        echo "key $key"
        echo 'eval new Promise((later) => setTimeout(later, 300))'
        echo "eval 'figure: ' + document.querySelector('figure[data-figure=padding]').dataset.state + document.querySelector('figure[data-figure=padding] .told').textContent"
    done
    echo "open file://$book/steps/02_smem/exercises.html"
    echo "eval (async () => { document.querySelector('$lab summary').click(); await new Promise((later) => setTimeout(later, 200)); })()"
    echo "eval (async () => { const field = document.querySelector('$lab textarea'); field.value = field.value.replace('out_y = ___', 'out_y = threadIdx.x / TILE_ROWS').replace('out_x = ___', 'out_x = threadIdx.x % TILE_ROWS').replace('tile[___][___]', 'tile[out_x][out_y]'); document.querySelector('$lab button').click(); while (document.querySelector('$lab [aria-busy]')) await new Promise((later) => setTimeout(later, 20)); return 'lab: ' + document.querySelector('$lab [role=status]').textContent; })()"
    if [ -f "$book/steps/02_smem/player.html" ]; then
        echo "open file://$book/steps/02_smem/player.html"
        echo 'eval new Promise((later) => setTimeout(later, 500))'
        echo "eval (document.querySelector('#slider').focus(), '')"
        echo 'key ArrowRight'
        echo "eval 'player: ' + document.querySelector('.say').textContent"
    fi
} | drive
check "not six pages with a text and a search field: $(grep '^page' "$work/out" | tr '\n' ',')" [ "$(grep -cE '^page [0-9]{3,} true' "$work/out")" -ge 6 ]
says '^bench: [0-9]* requests take'
says '^figure: .*"pad":1[,}].*}1 wavefront'
says '^figure: .*"pad":0[,}].*}32 wavefronts'
says '^lab: .*Solved in the lab'
[ ! -f "$book/steps/02_smem/player.html" ] || says '^player: .*warp 0'
finish
