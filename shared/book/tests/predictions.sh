#!/bin/bash
# Predictions: every folded result of a lesson has a field before it; the page keeps what is
# typed, shows it beside the outcome, marks it and sums it up, also where the browser stores nothing.
# usage: predictions.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser
[ -d "$book/steps" ] || { skip 'no book was made'; finish; }
lesson=$(cd "$book" && find steps/02_* -maxdepth 1 -name index.html | head -n 1)

# ---- every lesson ----
{
    while IFS= read -r page; do
        echo "open file://$book/$page"
        echo "eval 'fields $page ' + document.querySelectorAll('#text > details:not(.plain)').length + ' ' +" \
            "Array.from(document.querySelectorAll('#text > details:not(.plain)')).filter((fold) =>" \
            "fold.previousElementSibling.querySelector('textarea[data-prediction]')).length + ' ' +" \
            "(document.getElementById('predict') ? document.querySelectorAll('li textarea').length : 1)"
    done < <(cd "$book" && find steps -name index.html -o -path 'steps/*' -name '*.html' ! -name '*.*.html' \
        ! -name exercises.html ! -name player.html | LC_ALL=C sort -u)
} | drive
check 'few lessons were seen' [ "$(grep -c '^fields' "$work/out")" -gt 9 ]
while read -r _ page folds fields asked; do
    check "$page has $folds folded results and $fields fields before them" [ "$folds" -eq "$fields" ]
    check "$page asks for no prediction" [ "$asked" -gt 0 ]
done < <(grep '^fields' "$work/out")

# ---- typed, kept, shown, marked, summed up ----
type_text() { # CHARACTERS
    local i
    for ((i = 0; i < ${#1}; i++)); do echo "key ${1:i:1}"; done
}
steps_of_a_reader() {
    echo "open file://$book/$lesson"
    echo "eval document.querySelector('li textarea').focus()"
    type_text '<b>32'
    echo "eval document.querySelector('label.folded textarea').focus()"
    type_text 'many'
    echo "eval 'none open: ' + document.querySelectorAll('[data-shown]').length"
}
what_is_shown() {
    cat <<'END'
eval 'kept: ' + document.querySelector('li textarea').value + ' ' + document.querySelector('label.folded textarea').value
eval document.querySelector('#text > details:not(.plain)').open = true
eval new Promise((later) => setTimeout(later, 100))
eval 'shown: ' + Array.from(document.querySelectorAll('#text > details [data-shown] q')).map((said) => said.textContent).join(' | ')
eval document.querySelectorAll('#text > details [data-shown] input[value=right]')[1].click()
eval document.querySelectorAll('#text > details [data-shown] input[value=wrong]')[0].click()
eval 'sum: ' + document.querySelector('#tally p').textContent
eval 'rows: ' + Array.from(document.querySelectorAll('#tally td:nth-child(2)')).map((cell) => cell.textContent).join(' | ')
eval 'marks: ' + Array.from(document.querySelectorAll('#tally td:nth-child(3)')).map((cell) => cell.textContent).join(' | ')
END
}
{
    steps_of_a_reader
    echo "open file://$book/$lesson"
    what_is_shown
    echo "open file://$book/index.html"
    echo "eval 'contents: ' + document.querySelector('nav .tally').textContent"
} | drive
check_story() {
    check 'something is open at first' grep -qx 'none open: 0' "$work/out"
    check "the guesses beside the outcome: $(grep ^shown "$work/out")" grep -qx 'shown: many | <b>32' "$work/out"
    check "the sum: $(grep ^sum "$work/out")" grep -qE '^sum: 2 of [0-9]+ made: 1 right, 0 partly, 1 wrong, 0 not marked' "$work/out"
    check "the rows of the sum: $(grep ^rows "$work/out")" grep -qx 'rows: <b>32 | many' "$work/out"
    check "the marks of the sum: $(grep ^marks "$work/out")" grep -qx 'marks: right | wrong' "$work/out"
}
check_story
check "kept: $(grep ^kept "$work/out")" grep -qx 'kept: <b>32 many' "$work/out"
check "in the contents: $(grep ^contents "$work/out")" grep -qx 'contents: 1 of 2' "$work/out"

# ---- a browser that refuses to keep anything ----
{
    echo "before Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('refused'); }})"
    steps_of_a_reader
    what_is_shown
} | drive
check_story
finish
