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

# attribute NAME: an awk function's text, the value of an attribute of the line's tag.
# shellcheck disable=SC2016 # $ is awk's
value='function value(name) {
    return match($0, " data-" name "=\"[^\"]*\"") ? substr($0, RSTART + length(name) + 8, RLENGTH - length(name) - 9) : ""
}'

tags() { awk "$value"' index($0, "<'"$2"' ") == 1 && / '"$3"'=/ { print value("metric"), value("field"), value("value") }' "$1"; }
chips() { awk "$value"' /^<button class="chip/ { print value("file"), value("line"), value("metric"), value("requests"), value("work"), value("ideal") }' "$1"; }
player() { awk "$value"' /^<span data-block-metric/ { print value("block-metric"), value("requests"), value("work"), value("ideal") }' "$1"; }

# piles FILE: for each picture of banks the line, the wavefronts and the highest pile.
piles() {
    awk "$value"'
        / id="player"/ { exit }
        /data-detail=/ { line = value("detail") }
        /data-picture="banks"/ { waves = value("wavefronts"); high = 0 }
        /data-pile=/ { high = value("pile") + 0 > high ? value("pile") + 0 : high }
        /<\/svg>/ { if (waves) print line, waves, high; waves = 0 }' "$1"
}

# drawn FILE: for each picture of a line's worst request, counted from its parts: the line, the
# counter, and sectors that are touched, wavefronts, or bytes of a box.
drawn() {
    awk "$value"'
        function done() { if (picture) print line, counter, n + 0; picture = "" }
        / id="player"/ { exit }
        /data-detail=/ { done(); line = value("detail"); counter = value("counter") }
        /data-picture=/ { picture = value("picture"); n = picture == "box" ? value("bytes") : 0 }
        picture == "sectors" && /data-touched="1"/ { n++ }
        picture == "banks" && /data-wavefront=/ { n++ }
        /<\/svg>/ { done() }
        END { done() }' "$1"
}
