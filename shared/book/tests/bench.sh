#!/bin/bash
# The layout bench shows what the program `layout` prints: for 300 generated layouts, swizzles and
# accesses the sums, every cell of the tile and every pile of a request.
# usage: bench.sh FOLDER LAYOUT
. "$(dirname "$0")/browser.sh"
layout=$(realpath "$2")
find_browser
grep -q layoutBase64 "$book/bench.html" 2>/dev/null || { skip 'the book has no bench'; finish; }
bench() { python3 -B "$(dirname "$0")/bench.py" "$@"; }
count() { grep -c "^$1" "$2"; }

bench ask "$layout" "$book" "$work" | drive
check 'few states were accepted' [ "$(count sum "$work/program")" -gt 150 ]
check 'no state was refused' [ "$(count trouble "$work/program")" -gt 0 ]
check 'the page differs from the program' bench differs "$work"
echo "300 states, $(count cell "$work/out") cells, $(count pile "$work/out") piles, $(count sector "$work/out") sectors"
finish
