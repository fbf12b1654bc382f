# Functions for the tests of pages in a browser: sourced. Takes the folder of the book as $1.
# shellcheck shell=bash disable=SC2154
. "$(dirname "${BASH_SOURCE[0]}")/../../traffic/tests/checks.sh"
book=$(realpath "$1")
shopt -s lastpipe # `commands | drive`: drive counts what failed, so it must run in this shell

# find_browser [NAME...]: sets $browser to the path of the first of these that is here, by default of a Chromium, and
# $python to a Python that can drive it. Ends the test, as skipped, where one of the two is missing.
find_browser() {
    python=python3
    if [ $# -eq 0 ]; then
        set -- chromium chromium-browser google-chrome
        python=$("$root/shared/book/python.sh" playwright axe_playwright_python) || {
            skip 'no Python packages playwright and axe-playwright-python here (./run_all.sh --install --test installs them)'
            finish
        }
    fi
    for browser in "$@"; do
        ! browser=$(command -v "$browser") || return 0
    done
    skip "no $1 here (./run_all.sh --install --test installs one)"
    finish
}

# drive: a new browser carries out the commands on standard input and leaves what they print in
# $work/out. Fails where the browser or a page has a problem.
drive() {
    local status
    "$python" -B "$root/shared/book/tests/browse.py" "$browser" >"$work/out" 2>"$work/err"
    status=$?
    check "the browser could not do it: $(grep -v "^ " "$work/err" | tail -n 3)" [ $status -eq 0 ]
    if grep -q '^problem:' "$work/out"; then
        fail "$(grep -m 5 '^problem:' "$work/out")"
    else
        pass
    fi
}

# pages: the paths of all pages in the book, one per line.
pages() { find "$book" -name '*.html' -printf '%P\n' | LC_ALL=C sort; }
