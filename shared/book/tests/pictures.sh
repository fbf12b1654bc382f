#!/bin/bash
# Draws the README's pictures of the book, a player and the layout bench, from the real pages.
# usage: pictures.sh [FOLDER]; without FOLDER in plots/figures. Needs chromium and what --book needs.
to=${1:-}
. "$(dirname "$0")/browser.sh" .
to=$(realpath "${to:-$root/plots/figures}")
find_browser
book=$work/book
expect 0 "$root/shared/book/book.sh" "$book"
player=$(cd "$book" && find steps -path '*02_*' -name player.html)
{
    echo 'media light'
    echo 'size 1180 960'
    echo "open file://$book/$player"
    echo "eval new Promise((later) => setTimeout(later, 500))"
    echo "eval Array.from(document.querySelectorAll('button')).find((one) => one.textContent === 'next conflict').click()"
    echo "eval (Array.from(document.querySelectorAll('h2')).find((one) => one.textContent === 'Player').scrollIntoView(), new Promise((later) => setTimeout(later, 300)))"
    echo "shot $to/book_player.png"
    echo 'size 890 800'
    echo "open file://$book/bench.html#layout=(64,64):(64,1)&swizzle=5,0,5&access=column"
    echo "eval (async () => { while (!document.body.dataset.done) await new Promise((later) => setTimeout(later, 5)); })()"
    echo "eval (document.getElementById('bench').scrollIntoView(), window.scrollBy(0, 52), new Promise((later) => setTimeout(later, 300)))"
    echo "shot $to/book_bench.png"
} | drive
for picture in player bench; do
    check "no picture of the $picture" [ -s "$to/book_$picture.png" ]
    python3 "$root/plots/palette.py" "$to/book_$picture.png"
done
finish
