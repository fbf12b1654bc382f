#!/bin/bash
# `make` builds the program without a warning, with the compiler named. usage: make.sh COMPILER
. "$(dirname "$0")/../../traffic/tests/checks.sh"
command -v "$1" >/dev/null || { skip "$1 is not installed"; finish; }
cp -r "$root/shared" "$work/shared" # a copy, so that the folder's own program is left as it is
rm -f "$work/shared/layout/layout"
expect 0 make -C "$work/shared/layout" CC="$1"
check 'no program' [ -x "$work/shared/layout/layout" ]
finish
