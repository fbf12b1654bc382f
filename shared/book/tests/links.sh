#!/bin/bash
# Every link of the book leads to a page of it, and to an anchor that is there; nothing is loaded from
# a network. usage: links.sh FOLDER
. "$(dirname "$0")/../../traffic/tests/checks.sh"
[ -d "$1" ] || { skip 'no book was made'; finish; }
expect 0 python3 -B "$(dirname "$0")/links.py" "$1"
links=$(tail -n 1 "$work/out")
check "few links were found: $links" [ "$links" -gt 500 ]
while IFS= read -r line; do fail "$line"; done < <(head -n -1 "$work/out")
finish
