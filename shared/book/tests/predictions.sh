#!/bin/bash
# Predictions: a field stands only where a question stands; the page keeps what is typed, also beside other tabs and
# where the browser stores nothing, shows it in the outcome, compares numbers, sums up, and saves a file.
# usage: predictions.sh FOLDER
. "$(dirname "$0")/browser.sh"
find_browser
[ -d "$book/steps" ] || { skip 'no book was made'; finish; }

# ---- every lesson ----
{
    while IFS= read -r page; do
        echo "open file://$book/$page"
        echo "eval (() => { const fields = Array.from(document.querySelectorAll('textarea[data-prediction]'));" \
            "const question = (field) => { const item = field.closest('li'), before = field.closest('label').previousElementSibling;" \
            "const after = field.closest('label').nextElementSibling; return item ? item.closest('ol, ul').parentElement.id === 'text' :" \
            "/\\?\\s*\$/.test(before.textContent) || (after && /^Answers?\$/.test(after.querySelector('summary').textContent)); };" \
            "const must = Array.from(document.querySelectorAll('#text > details:not(.plain)')).filter((fold) => /^Answers?\$/.test(fold.querySelector('summary').textContent)).length;" \
            "return 'fields $page ' + [fields.length, fields.filter((field) => !question(field)).length, must," \
            "new Set(fields.map((field) => field.dataset.prediction)).size, document.getElementById('predict') ? document.querySelectorAll('[data-prediction]').length : 1].join(' '); })()"
    done < <(cd "$book" && find steps -name index.html -o -path 'steps/*' -name '*.html' ! -name '*.*.html' \
        ! -name exercises.html ! -name player.html | LC_ALL=C sort -u)
} | drive
check 'few lessons were seen' [ "$(grep -c '^fields' "$work/out")" -gt 9 ]
while read -r _ page fields odd must different listed; do
    check "$page: $odd fields stand where no question stands" [ "$odd" -eq 0 ]
    check "$page: $fields fields for $must answers" [ "$fields" -ge "$must" ]
    check "$page: two fields are one" [ "$different" -eq "$fields" ]
    check "$page asks for no prediction" [ "$listed" -gt 0 ]
done < <(grep '^fields' "$work/out")

# ---- a small workbook, whose questions say what is right ----
"$root/shared/book/python.sh" >/dev/null || { skip 'no python3 with the modules of the book here'; finish; }
mkdir -p "$work/tree/shared/cpucc" "$work/tree/steps/00_a"
cp -r "$root/shared/book" "$work/tree/shared" && cp -r "$root/shared/cpucc/page" "$work/tree/shared/cpucc"
echo '# Home' >"$work/tree/README.md"
cat >"$work/tree/steps/00_a/README.md" <<'END'
# A lesson

## Predict

* **On the CPU:** how many? <!-- expect: 1; 32 -->
* **On a GPU:** which percentage? <!-- expect: padded -->

| elements | 4 bytes | 8 bytes |
| ---: | ---: | ---: |
| 2 | 9 | ? |

| | one |
| --- | ---: |
| a | `coarsen4` ? |

## Run it

<details><summary>What the CPU run prints</summary>

One and 32.

</details>

<details><summary>What an H200 gives</summary>

It gives 40.8<!--padded--> %.

| elements | 4 bytes | 8 bytes |
| ---: | ---: | ---: |
| 2 | 9 | 64.8 |

| variant | % of copy |
| --- | ---: |
| `coarsen4` | 80.0 |

</details>

## Try this

1. Do it. No question stands here.
2. Does it work?
3. Does it last?

<details><summary>What happens</summary>

Yes.

</details>
END
"$work/tree/shared/book/book.sh" --no-players "$work/small" >"$work/said" 2>&1
lesson=$work/small/steps/00_a/index.html
focus() { echo "eval (document.querySelectorAll('[data-prediction]')[$1].focus(), '')"; }
story() {
    echo "open file://$lesson"
    echo "eval 'asked: ' + document.querySelectorAll('[data-prediction]').length"
    focus 1; echo 'type 43'
    echo "eval 'height: ' + (() => { const field = document.activeElement, high = field.offsetHeight; field.blur(); return field.offsetHeight - high; })()"
    echo "eval 'name: ' + document.querySelectorAll('[data-prediction]')[1].getAttribute('aria-label')"
    for guess in 'not 1, 32' '32 and 1' '1 and 32 of 64' '1, 32'; do
        echo "eval (() => { const field = document.querySelectorAll('[data-prediction]')[0]; field.value = '$guess'; field.dispatchEvent(new Event('input')); const at = Array.from(document.querySelectorAll('#tally tr')).find((row) => row.cells[1].textContent === field.value); field.value = ''; return 'judged: ' + at.cells[2].textContent; })()"
    done
    focus 0; echo 'type <b>1 and 31'
    focus 2; echo 'type 20'
    focus 3; echo 'type 82'
    focus 4; echo 'type yes'
    echo "eval 'shown at first: ' + document.querySelectorAll('[data-shown]').length"
    echo "eval document.querySelectorAll('#text > details').forEach((fold) => { fold.open = true; })"
    echo 'eval new Promise((later) => setTimeout(later, 200))'
    echo "eval 'shown: ' + Array.from(document.querySelectorAll('#text > details')).map((fold) => Array.from(fold.querySelectorAll('q'), (one) => one.textContent)).join(' | ')"
    echo "eval 'cell: ' + Array.from(document.querySelectorAll('.yours'), (one) => one.textContent).join(' | ')"
    echo "eval document.querySelector('#text > details:last-of-type [data-shown] input[value=partly]').click()"
    echo "eval 'sum: ' + document.querySelector('#tally p').textContent"
    echo "eval 'marks: ' + Array.from(document.querySelectorAll('#tally td:nth-child(3)')).map((cell) => cell.textContent).join(' | ')"
}
check_story() {
    check 'six questions' grep -qx 'asked: 6' "$work/out"
    check "the field moves what is below it: $(grep ^height "$work/out")" grep -qx 'height: 0' "$work/out"
    check "the field's name: $(grep ^name "$work/out")" grep -q '^name: Your prediction: On a GPU: which percentage?' "$work/out"
    check "judged: $(grep ^judged "$work/out")" [ "$(sed -n 's/^judged: //p' "$work/out" | tr '\n' ',')" = 'not marked,not marked,not marked,right,' ]
    check 'something is open at first' grep -qx 'shown at first: 0' "$work/out"
    check "the guesses beside outcomes: $(grep '^shown:' "$work/out")" grep -qx 'shown: <b>1 and 31 | 43 | yes' "$work/out"
    check "a cell: $(grep ^cell "$work/out")" grep -qx 'cell: you: 20, wrong | you: 82, right' "$work/out"
    check "the sum: $(grep ^sum "$work/out")" grep -qx 'sum: 5 of 6 made: 2 right, 2 partly, 1 wrong, 0 not marked.' "$work/out"
    check "the marks: $(grep ^marks "$work/out")" grep -qx 'marks: partly | right | wrong | right | partly' "$work/out"
}
{
    story
    echo "eval (async () => { HTMLAnchorElement.prototype.click = function () { window.saved = this; }; document.querySelector('#tally button').click();" \
        "return 'file: ' + saved.download + ' ' + (await (await fetch(saved.href)).text()).trim().split(String.fromCharCode(10)).length; })()"
    echo "open file://$work/small/index.html"
    echo "eval 'contents: ' + document.querySelector('nav .tally').textContent"
    echo "eval 'landing: ' + document.querySelector('#start a').textContent"
    # Two tabs: what one types stays when the other types.
    echo 'tab 2'
    echo "open file://$lesson"
    echo 'tab 1'
    echo "open file://$lesson"
    focus 0; echo 'type first '
    echo 'tab 2'
    focus 1; echo 'type second '
    echo 'tab 1'
    echo "open file://$lesson"
    echo "eval 'kept: ' + Array.from(document.querySelectorAll('[data-prediction]'), (field) => field.value).join(' | ')"
    # A mark leaves the boxes in the questions' order.
    focus 5; echo 'type no'
    echo "eval document.querySelectorAll('#text > details').forEach((fold) => { fold.open = true; })"
    for i in 0 1 0; do
        echo "eval (document.activeElement.blur(), document.querySelectorAll('#text > details:last-of-type [data-shown]')[$i].querySelector('input[value=wrong]').click())"
    done
    echo "eval 'order: ' + Array.from(document.querySelectorAll('#text > details:last-of-type q'), (one) => one.textContent).join(' ')"
    echo "eval document.querySelectorAll('#text > details').forEach((fold) => { fold.open = false; })"
    # Printing leaves folds as they are.
    echo "eval (window.addEventListener('beforeprint', () => { window.open_in_print = document.querySelectorAll('details[open]').length; }), '')"
    echo 'print'
    echo "eval 'open: ' + open_in_print + ' ' + document.querySelectorAll('details[open]').length"
} | drive
check_story
check "the file: $(grep ^file "$work/out")" grep -qx 'file: predictions.tsv 6' "$work/out"
check "in the contents: $(grep ^contents "$work/out")" grep -qx 'contents: 5 predicted' "$work/out"
check "on the landing page: $(grep ^landing "$work/out")" grep -q 'landing: Continue: A lesson' "$work/out"
check "two tabs: $(grep ^kept "$work/out")" grep -qx 'kept: <b>1 and 31first  | 43second  | 20 | 82 | yes | ' "$work/out"
check "the order of the boxes: $(grep ^order "$work/out")" grep -qx 'order: yes no' "$work/out"
check "folds in print, and after it: $(grep ^open: "$work/out")" grep -qx 'open: 0 0' "$work/out"

# ---- a browser that refuses to keep anything ----
{
    echo "before Object.defineProperty(window, 'localStorage', {get() { throw new DOMException('refused'); }})"
    story
} | drive
check_story
finish
