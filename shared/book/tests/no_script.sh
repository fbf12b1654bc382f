#!/bin/bash
# Without JavaScript every page can be read: texts, folded results, links. What needs JavaScript is
# absent or says so. usage: no_script.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser
[ -d "$book/steps" ] || { skip 'no book was made'; finish; }
{
    echo 'script off'
    for page in steps/02_smem/index.html bench.html; do
        echo "open file://$book/$page"
        echo 'script on'
        echo "eval 'text ' + document.getElementById('text').innerText.length + ' ' +" \
            "document.querySelectorAll('textarea, .copy').length + ' ' +" \
            "document.querySelector('.search').checkVisibility() + ' ' +" \
            "document.querySelectorAll('#text details').length + ' ' +" \
            "Array.from(document.querySelectorAll('noscript')).some((one) => /JavaScript/.test(one.textContent))"
        echo 'script off'
    done
} | drive
check "the lesson: $(grep -m 1 ^text "$work/out")" grep -qE '^text [0-9]{4,} 0 false [1-9][0-9]* false$' "$work/out"
check "the bench: $(grep ^text "$work/out" | tail -n 1)" grep -qE '^text [0-9]{3,} 0 false [0-9]+ true$' "$work/out"
finish
