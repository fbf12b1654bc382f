#!/bin/bash
# Takes a screenshot of an HTML report: page_picture.sh FILE.html OUT.png [WIDTH] [FRAGMENT] [HEIGHT]
# WIDTH is 1280 by default; a telephone has 390. FRAGMENT is for example 'line=25&play=40&theme=dark'.
. "$(dirname "$0")/page_checks.sh"
[ $# -ge 2 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
[ -n "$browser" ] || { echo "no browser here: install chromium" >&2; exit 3; }
headless "--window-size=${3:-1280},${5:-1000}" "--screenshot=$2" "$1" "${4:-}" >"$work/out"
[ -s "$2" ]
