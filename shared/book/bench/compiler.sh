#!/bin/bash
# Prints the name of a clang that compiles to WebAssembly with wasi-libc. If there is none, prints the
# reason on standard error and exits with 1.
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
echo 'int main(void) {return 0;}' >"$folder/probe.c"
for clang in clang clang-{20,19,18,17,16,15,14}; do
    if command -v "$clang" >/dev/null &&
        said=$("$clang" --target=wasm32-wasi -O1 "$folder/probe.c" -o "$folder/probe.wasm" 2>&1); then
        echo "$clang"
        exit 0
    fi
done
echo "${said:-clang is missing}" | grep -v '^ ' | head -n 1 >&2
exit 1
