#!/bin/bash
# By keyboard alone: Tab reaches every control and shows where it is; search, folded results, examples
# and the bench's fields work. usage: keyboard.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser
[ -d "$book/steps" ] || { skip 'no book was made'; finish; }

# walk PAGE PRESSES: press Tab that often, and print how many controls it missed.
walk() {
    local i
    echo "open file://$book/$1"
    echo "eval new Promise((later) => setTimeout(later, 700))"
    cat <<'END'
eval (window.wanted = Array.from(document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')).filter((one) => one.tabIndex >= 0 && one.checkVisibility() && !one.disabled && (one.type !== 'radio' || one.checked)), window.reached = new Set(), window.unseen = 0, document.addEventListener('focusin', (event) => { window.reached.add(event.target); if (getComputedStyle(event.target).outlineStyle === 'none' || event.target.clientHeight + event.target.offsetHeight === 0 && !event.target.getClientRects().length) window.unseen++; }), 0)
END
    for ((i = 0; i < $2; i++)); do echo 'key Tab'; done
    echo "eval 'walk $1 ' + wanted.length + ' ' + wanted.filter((one) => !reached.has(one)).length + ' ' + unseen +" \
        "' ' + wanted.filter((one) => !reached.has(one)).slice(0, 3).map((one) => one.outerHTML.slice(0, 90)).join(' ')"
}
{
    echo 'size 1280 900'
    walk steps/01_naive/index.html 130
    walk bench.html 90
    echo "open file://$book/steps/02_smem/index.html"
    echo "eval (document.querySelector('#text summary').focus(), window.scrolled = scrollY, 'at ' + (scrollY > 500))"
    for key in / b a n k; do echo "key $key"; done
    echo 'eval new Promise((later) => setTimeout(later, 700))'
    echo 'key ArrowDown'
    echo "eval 'hit: ' + document.activeElement.getAttribute('href')"
    echo 'key Escape'
    echo "eval 'closed: ' + document.querySelector('.found').hidden + ' ' + document.activeElement.tagName + ' ' + (scrollY - scrolled)"
    echo 'key /'
    echo "eval (document.querySelector('.search input').dispatchEvent(new Event('input')), document.querySelector('.found a:last-child').focus(), '')"
    echo 'key Tab'
    echo "eval 'left: ' + document.querySelector('.found').hidden"
    echo "eval 'wide: ' + Array.from(document.querySelectorAll('#text [tabindex=\"0\"]')).filter((one) => one.checkVisibility({contentVisibilityAuto: true}) && (one.scrollWidth <= one.clientWidth || !one.getAttribute('aria-label'))).length"
    echo "eval document.querySelector('#text summary').focus()"
    echo 'key Enter'
    echo "eval 'open: ' + document.querySelector('#text details').open"
    echo "open file://$book/bench.html"
    echo "eval (async () => { while (!document.body.dataset.done) await new Promise((later) => setTimeout(later, 5));" \
        "document.querySelector('.examples a:nth-of-type(2)').focus(); })()"
    echo 'key Enter'
    echo "eval (async () => { while (document.getElementById('work').textContent !== '32')" \
        "await new Promise((later) => setTimeout(later, 5)); return 'example: ' + document.getElementById('sum').textContent; })()"
    echo 'size 390 800'
    echo "open file://$book/steps/02_smem/index.html"
    echo "eval (scrollTo(0, 3000), 'bar: ' + document.querySelector('.bar').getBoundingClientRect().top + ' ' + document.querySelector('.search').getBoundingClientRect().width)"
    echo "eval document.querySelector('button.menu').focus()"
    echo 'key Enter'
    echo "eval (() => { const list = document.getElementById('contents'); list.scrollTop = 9999; const last = Array.from(list.querySelectorAll('a')).pop(); return 'reach: ' + (last.getBoundingClientRect().bottom <= innerHeight) + ' ' + (list.querySelectorAll('li li a').length > 5); })()"
    echo "eval 'drawer: ' + document.getElementById('contents').checkVisibility({visibilityProperty: true}) + ' ' + document.activeElement.textContent"
    echo 'key Escape'
    echo "eval new Promise((later) => setTimeout(later, 400))"
    echo "eval 'drawer closed: ' + document.getElementById('contents').checkVisibility({visibilityProperty: true}) + ' ' + document.activeElement.className"
} | drive
while read -r _ page wanted missed unseen which; do
    check "$page: few things can be reached: $wanted" [ "$wanted" -gt 25 ]
    check "$page: of $wanted not reached by Tab: $missed, $which" [ "$missed" -eq 0 ]
    check "$page: focused and not seen: $unseen" [ "$unseen" -eq 0 ]
done < <(grep '^walk' "$work/out")
check 'both walks' [ "$(grep -c '^walk' "$work/out")" -eq 2 ]
check "the arrow goes to a hit: $(grep ^hit "$work/out")" grep -q '^hit: .*html' "$work/out"
check "Escape closes the hits and gives the place back: $(grep ^closed "$work/out")" grep -qx 'closed: true SUMMARY 0' "$work/out"
check 'Tab past the last hit leaves the hits open' grep -qx 'left: true' "$work/out"
check "blocks that need no scrolling are stops of Tab: $(grep ^wide "$work/out")" grep -qx 'wide: 0' "$work/out"
check "a phone has the bar within reach: $(grep ^bar "$work/out")" grep -q '^bar: 0 [1-9][0-9][0-9]' "$work/out"
check "the drawer's last page, and sections: $(grep ^reach "$work/out")" grep -qx 'reach: true true' "$work/out"
check 'Enter opens a result' grep -qx 'open: true' "$work/out"
check "the drawer: $(grep '^drawer:' "$work/out")" grep -q '^drawer: true Step 02' "$work/out"
check 'Escape closes the drawer' grep -qx 'drawer closed: false menu' "$work/out"
check "an example: $(grep ^example "$work/out")" grep -q '^example: 32 requests take 32' "$work/out"
finish
