#!/bin/bash
# The search finds words of texts, headings and exercises; it finds folded results without showing them.
# usage: search.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser
[ -f "$book/search.js" ] || { skip 'no book was made'; finish; }

# look WORDS: print the first pages found, and the text shown.
look() {
    echo "eval (async () => { const input = document.querySelector('.search input'); input.focus();" \
        "while (!window.bookSearch) await new Promise((later) => setTimeout(later, 5));" \
        "input.value = '$1'; input.dispatchEvent(new Event('input'));" \
        "const links = Array.from(document.querySelectorAll('.found a'));" \
        "return '$1: ' + links.slice(0, 15).map((link) => link.getAttribute('href')).join(' ') +" \
        "' # ' + document.querySelectorAll('.found mark').length; })()"
    echo "eval '$1 text: ' + document.querySelector('.found').textContent.slice(0, 3000).replace(/\\s+/g, ' ')"
}
{
    echo "open file://$book/steps/02_smem/index.html"
    look 'bank conflict'
    look 'little law'
    look 'tensor map'
    look 'conflicting'
    look 'bankconflict'
    look 'bank-conflicts'
    look '"bank conflicts"?'
    look 'wavefront'
    look 'stride'
    look 'zzzz'
    look '<script>'
    look '256 02_smem'
} | drive
check 'bank conflict' grep -q '^bank conflict: .*steps/02_smem/index.html#banks .*# [1-9]' "$work/out"
check "Little's law" grep -q '^little law: .*\.\./\.\./steps/0' "$work/out"
check 'tensor map' grep -q '^tensor map: .*steps/07_tma/' "$work/out"
check 'a word with an ending' grep -q '^conflicting: .*steps/02_smem/.*# [1-9]' "$work/out"
check 'two words as one' grep -q '^bankconflict: .*steps/02_smem/.*# [1-9]' "$work/out"
check 'quotes and a mark' grep -q '^"bank conflicts"?: .*steps/02_smem/.*# [1-9]' "$work/out"
check 'lessons come first' grep -q '^wavefront: \(\.\./\.\./steps/[^ ]* \)\{8\}' "$work/out"
for word in 'bank conflict:bank-conflict' 'bank-conflicts:bank-conflict' wavefront:wavefront stride:strided; do
    check "the glossary's term comes first: $word" grep -q "^${word%:*}: [^ ]*glossary.html#term-${word#*:} " "$work/out"
done
check 'what is nowhere' grep -q '^zzzz:  # 0' "$work/out"
check 'what is nowhere, said' grep -q '^zzzz text: 0 places' "$work/out"
check 'a folded result is found' grep -q '^256 02_smem: .*steps/02_smem/index.html#run-it' "$work/out"
check 'a folded result is not shown' grep -q '^256 02_smem text: .*in a folded result' "$work/out"
check 'its figure is shown' not grep -q '^256 02_smem text: .*x32' "$work/out"

# Every page is found by its title, and every hit leads to a page that is there.
{
    echo "open file://$book/index.html"
    echo "eval (async () => { document.querySelector('.search input').focus();" \
        "while (!window.bookSearch) await new Promise((later) => setTimeout(later, 5));" \
        "const input = document.querySelector('.search input'); const lost = [];" \
        "for (const [page, title] of bookSearch.pages.slice(1)) { input.value = title;" \
        "input.dispatchEvent(new Event('input'));" \
        "if (page !== 'bench.html' && !Array.from(document.querySelectorAll('.found a')).some((link) =>" \
        "link.getAttribute('href').startsWith(page))) lost.push(title); }" \
        "return 'lost: ' + lost.join('; '); })()"
} | drive
check "not found by its title: $(grep ^lost "$work/out")" grep -qx 'lost: ' "$work/out"
finish
