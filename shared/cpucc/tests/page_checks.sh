# What tests of pages share: a browser without a screen, and what it has made of a page. Sourced.
# shellcheck shell=bash
# shellcheck source=shared/traffic/tests/checks.sh
. "$(dirname "${BASH_SOURCE[0]}")/../../traffic/tests/checks.sh"

browser=
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    [ -n "$browser" ] || browser=$(command -v "$name")
done

# need_browser: where there is none, ends the script with what was checked so far.
need_browser() {
    [ -n "$browser" ] && return
    skip "no browser here (chromium): the page was not opened"
    finish
}

# headless OPTION... FILE FRAGMENT
headless() {
    local options=("${@:1:$#-2}") file=${*: -2:1} fragment=${*: -1}
    timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
        --user-data-dir="$work/browser" --enable-logging=stderr --virtual-time-budget=2000 \
        --hide-scrollbars "${options[@]}" "file://$(realpath "$file")#$fragment" 2>"$work/browser.err"
}

# dump FILE FRAGMENT: the document as the browser has it when the scripts have run, a tag a line.
dump() { headless --dump-dom "$1" "$2" | sed 's/></>\n</g'; }

# no_messages: the last page has written nothing to the console.
no_messages() { ! grep -a 'CONSOLE' "$work/browser.err"; }
