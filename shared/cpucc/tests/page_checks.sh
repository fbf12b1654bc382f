# Functions that tests of HTML reports share: they run a headless browser and read its document. Sourced.
# shellcheck shell=bash
# shellcheck source=shared/traffic/tests/checks.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../traffic/tests/checks.sh"

browser=
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$browser" ] || browser=$(command -v "$name")
done

# need_browser: if no browser is installed, ends the script with the result so far.
need_browser() {
    [ -n "$browser" ] && return
    skip "no browser here (chromium): the page was not opened"
    finish
}

# headless OPTION... FILE FRAGMENT: opens FILE#FRAGMENT in the browser.
headless() {
    local options=("${@:1:$#-2}") file=${*: -2:1} fragment=${*: -1}
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --user-data-dir="$work/browser" --enable-logging=stderr --virtual-time-budget=2000 \
        --hide-scrollbars "${options[@]}" "file://$(realpath "$file")#$fragment" 2>"$work/browser.err"
}

# dump FILE FRAGMENT: prints the browser's document after its scripts have run, one tag per line.
dump() { headless --dump-dom "$1" "$2" | sed 's/></>\n</g'; }

# no_messages: succeeds if the last report wrote nothing to the browser's console.
no_messages() { ! grep -a 'CONSOLE' "$work/browser.err"; }
