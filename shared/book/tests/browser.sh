# Functions for the tests of pages in a browser: sourced. Takes the folder of the book as $1.
# shellcheck shell=bash disable=SC2154
. "$(dirname "${BASH_SOURCE[0]}")/../../traffic/tests/checks.sh"
browse=$root/shared/book/tests/browse.py
book=$(realpath "$1")
shopt -s lastpipe # `commands | drive`: drive counts what failed, so it must run in this shell

# find_browser [NAME...]: into $browser the first of these that is here, else a Chromium; ends the test, as skipped,
# where there is none.
find_browser() {
    [ $# -gt 0 ] || set -- chromium chromium-browser google-chrome
    for browser in "$@"; do
        ! command -v "$browser" >/dev/null || return 0
    done
    skip "no $1 here (./run_all.sh --install --test installs one)"
    finish
}

# drive: a new browser carries out the commands on standard input and leaves what they print in
# $work/out. Fails where the browser or a page has a problem.
drive() {
    local status
    rm -rf "$work/profile"
    python3 -B "$browse" "$browser" "$work/profile" >"$work/out" 2>"$work/err"
    status=$?
    check "the browser could not do it: $(tail -n 3 "$work/err")" [ $status -eq 0 ]
    if grep -q '^problem:' "$work/out"; then
        fail "$(grep -m 5 '^problem:' "$work/out")"
    else
        pass
    fi
}

# pages: the paths of all pages in the book, one per line.
pages() { find "$book" -name '*.html' -printf '%P\n' | LC_ALL=C sort; }
