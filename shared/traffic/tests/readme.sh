#!/bin/bash
# The example in shared/traffic's README compiles and prints what is shown. usage: readme.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
block() { awk -v from="\`\`\`$1" '$0 == "```" {inside = 0} inside {print} $0 == from {inside = 1}' "$root/shared/traffic/README.md"; }
block c >"$work/example.c"
block text >"$work/shown"
expect 0 "${CC:-cc}" -std=c11 -Wall -Wextra -Werror -Wpedantic -I"$root/shared" -o "$work/example" \
    "$work/example.c" "$root/shared/traffic/traffic.c"
expect 0 "$work/example"
check 'it prints what the README shows' cmp "$work/out" "$work/shown"
finish
