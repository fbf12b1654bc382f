# Sourced: finds a compiler to WebAssembly.
# shellcheck shell=bash

# wasm_compiler: a clang that makes WebAssembly with wasi-libc. Says why not on standard error.
wasm_compiler() {
    local clang said folder
    folder=$(mktemp -d) || return 1
    echo 'int main(void) {return 0;}' >"$folder/probe.c"
    for clang in clang clang-{20,19,18,17,16,15,14}; do
        if command -v "$clang" >/dev/null &&
            said=$("$clang" --target=wasm32-wasi -O1 "$folder/probe.c" -o "$folder/probe.wasm" 2>&1); then
            rm -rf "$folder"
            echo "$clang"
            return
        fi
    done
    rm -rf "$folder"
    echo "${said:-clang is missing}" | grep -v '^ ' | head -n 1 >&2
    return 1
}
