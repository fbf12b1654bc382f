#!/bin/bash
# Fuzz the layout library: the committed corpus, then new inputs for SECONDS (30 by default).
#
# usage: fuzz.sh [SECONDS [FOLDER]]
#
# FOLDER keeps the inputs found on the way and any that crashes (default: a temporary one). Needs
# clang with libFuzzer (Debian and Ubuntu: libclang-rt-dev or libclang-rt-14-dev; in older
# releases it comes with clang). Where that is missing, runs the corpus alone, under the
# sanitizers of whatever compiler there is, and says so. Exit status: 0 clean, 1 not.
cd "$(dirname "$0")" || exit 1
seconds=${1:-30}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
found=${2:-$work/found}
mkdir -p "$found" || exit 1
sources="fuzz_layout.c ../../layout/layout.c ../../layout/layout_text.c
    ../../layout/layout_algebra.c ../../layout/layout_tile.c ../../layout/layout_banks.c"
flags="-std=c11 -g -O2 -Wall -Wextra -Werror -Wpedantic -fno-sanitize-recover=all -I../.."

if clang $flags -fsanitize=fuzzer,address,undefined -o "$work/fuzz" $sources 2>"$work/why"; then
    "$work/fuzz" -runs=0 corpus >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
    echo "corpus: $(ls corpus | wc -l) inputs, clean"
    if ! "$work/fuzz" -max_total_time="$seconds" -max_len=600 -timeout=20 -dict=fuzz.dict \
        -artifact_prefix="$found/" -print_final_stats=1 "$found" corpus >"$work/log" 2>&1; then
        tail -n 40 "$work/log"
        exit 1
    fi
    echo "fuzz: $(sed -n 's/^Done \(.*\)/\1/p' "$work/log"), clean"
    exit 0
fi
if grep -q 'error: ' "$work/why" && ! grep -qE 'libclang_rt|fuzzer|cannot find' "$work/why"; then
    cat "$work/why"
    exit 1
fi
echo 'libFuzzer is missing (install libclang-rt-14-dev): running the corpus alone'
${CC:-cc} $flags -DSTANDALONE -fsanitize=address,undefined -o "$work/fuzz" $sources &&
    "$work/fuzz" corpus/*
