#!/bin/bash
# Fuzz the layout library: the committed corpus, then new inputs for SECONDS (30 by default), the
# same ones every time.
#
# usage: fuzz.sh [SECONDS [FOLDER]]
#
# FOLDER keeps the inputs found on the way and any that crashes (default: a temporary one). Needs
# clang with libFuzzer (Debian and Ubuntu: libclang-rt-dev or libclang-rt-14-dev; in older
# releases it comes with clang). Where that is missing, runs the corpus alone, under the
# sanitizers of whatever compiler there is, and says so. Exit status: 0 clean, 1 not.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$root/shared/layout/tests" || exit 1
seconds=${1:-30}
found=${2:-$work/found}
mkdir -p "$found" || exit 1
mapfile -t sources < <(find fuzz_layout.c .. ../../traffic -maxdepth 1 -name '*.c' ! -name layout_main.c)
flags=(-std=c11 -g -O2 -Wall -Wextra -Werror -Wpedantic -fno-sanitize-recover=all -I../..)

if clang "${flags[@]}" -fsanitize=fuzzer,address,undefined -o "$work/fuzz" "${sources[@]}" 2>"$work/why"; then
    expect 0 "$work/fuzz" -runs=0 corpus
    expect 0 "$work/fuzz" -max_total_time="$seconds" -max_len=600 -timeout=20 -seed=1 -dict=fuzz.dict \
        -artifact_prefix="$found/" -print_final_stats=1 "$found" corpus
    sed -n 's/^Done /fuzz: /p' "$work/err"
elif grep -q 'error: ' "$work/why" && ! grep -qE 'libclang_rt|fuzzer|cannot find' "$work/why"; then
    fail "the fuzzer does not build: $(cat "$work/why")"
else
    skip 'libFuzzer is not installed (libclang-rt-dev): the corpus alone is run'
    expect 0 "${CC:-cc}" "${flags[@]}" -DSTANDALONE -fsanitize=address,undefined -o "$work/fuzz" "${sources[@]}"
    expect 0 "$work/fuzz" corpus/*
fi
finish
