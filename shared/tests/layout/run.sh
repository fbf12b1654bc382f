#!/bin/bash
# All tests of the layout library and its program.
#
# usage: run.sh [FUZZ_SECONDS]      (30 by default; 0 runs the fuzzer's corpus only)
#
# Builds the library into a temporary folder with every compiler it finds among gcc and clang,
# warnings being errors. Ends with a line `N passed, N failed`; exit status 0 if nothing failed.
cd "$(dirname "$0")" || exit 1
seconds=${1:-30}
root=../../..
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
library="../../layout/layout.c ../../layout/layout_text.c ../../layout/layout_algebra.c
    ../../layout/layout_tile.c ../../layout/layout_banks.c"
strict="-std=c11 -g -Wall -Wextra -Werror -Wpedantic -I../.."
sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"

# step NAME COMMAND...: one test; its own output is shown, indented.
step() {
    local name=$1 begin=$SECONDS
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        echo "ok      $name ($((SECONDS - begin)) s)"
        [ -n "$quiet" ] || sed 's/^/        /' "$work/log"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        sed 's/^/        /' "$work/log"
    fi
}

skip() {
    echo "skipped $1: $2"
}

have() {
    command -v "$1" >"$work/which" 2>&1
}

for compiler in gcc clang; do
    if have $compiler; then
        # A copy, so that the folder's own program is left as it is.
        rm -rf "$work/layout" && cp -r ../../layout "$work/layout" && rm -f "$work/layout/layout"
        quiet=1 step "build with $compiler" make -C "$work/layout" CC=$compiler
    else
        skip "build with $compiler" "not installed"
    fi
done
CC=cc
have cc || CC=gcc
export CC

# The program lies as deep as in the project, since it looks for plots/layout.gp from there.
mkdir -p "$work/tree/shared/layout" && cp -r $root/plots "$work/tree/plots"
step "build" $CC $strict -O2 -o "$work/tree/shared/layout/layout" $library \
    ../../layout/layout_main.c ../../layout/layout_commands.c ../../layout/layout_draw.c
program=$work/tree/shared/layout/layout

for test in examples kernels; do
    quiet=1 step "build $test" $CC $strict -O1 -o "$work/$test" test_$test.c $library
    step "$test" "$work/$test"
    quiet=1 step "build $test with sanitizers" $CC $strict -O1 $sanitize -o "$work/$test.san" \
        test_$test.c $library
    step "$test under the sanitizers" "$work/$test.san"
    if have valgrind; then
        quiet=1 step "$test under valgrind" valgrind -q --error-exitcode=1 --leak-check=full \
            "$work/$test"
    else
        skip "$test under valgrind" "not installed"
    fi
done
quiet=1 step "build properties" $CC $strict -O2 -o "$work/properties" test_properties.c $library
step "properties" "$work/properties" 100000 1
step "command line" ./test_cli.sh "$program"
quiet=1 step "build program with sanitizers" $CC $strict -O1 $sanitize -o "$program.san" $library \
    ../../layout/layout_main.c ../../layout/layout_commands.c ../../layout/layout_draw.c
step "command line under the sanitizers" ./test_cli.sh "$program.san"
step "README" ./test_readme.sh "$program" ../../layout/README.md
step "fuzzer" ./fuzz.sh "$seconds"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
