#!/bin/bash
# Tests that the HTML report's scripts agree with their JSDoc types (if tsc is installed), and that they
# are classic scripts that fetch nothing.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$shared/cpucc/page" || exit 1
cat ./* | grep -v 'http://www.w3.org/2000/svg' >"$work/all" # the namespace's name is no request
check 'no modules, no network, no parsing of HTML' not grep -nE \
    '^ *(import|export) |fetch\(|XMLHttpRequest|innerHTML|https?:' "$work/all"
if command -v tsc >"$work/null"; then
    expect 0 tsc --allowJs --checkJs --noEmit --strict --target es2020 --lib es2021,dom,dom.iterable \
        data.js picture.js player.js memory.js view.js source.js page.js
else
    skip 'no tsc here (node-typescript)'
fi
finish
