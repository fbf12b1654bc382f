# Sourced by book.sh: makes the page of the layout bench.
# shellcheck shell=bash disable=SC2154

# shellcheck source=shared/book/bench/compiler.sh
. shared/book/bench/compiler.sh

# The sources of the program `layout`, as its Makefile lists them, as a WebAssembly module.
build_wasm() {
    local clang
    clang=$(wasm_compiler) || return 1
    make -s -C shared/layout CC="$clang --target=wasm32-wasi -mmutable-globals" CFLAGS=-Os program="$work/layout.wasm" \
        LDFLAGS='-Wl,--strip-all -Wl,--export=__stack_pointer -Wl,-z,stack-size=1048576' "$work/layout.wasm"
}

make_bench() {
    if ! build_wasm >"$work/wasm.log" 2>&1; then
        head -n 2 "$work/wasm.log" >&2
        echo "no WebAssembly compiler (clang, lld, wasi-libc): the layout bench is left out;" \
            "./run_all.sh --install --book installs them"
        { printf '<p>%s</p>\n' 'This book was made without a WebAssembly compiler, so the bench is
            missing. <code>./run_all.sh --install --book</code> brings one.'; } >"$work/bench.body"
    else
        {
            cat "$here/bench/bench.html"
            printf '<script>\nconst layoutBase64 = "%s";\n' "$(base64 -w 0 "$work/layout.wasm")"
            cat "$here/bench/layout.js" "$here/bench/bench.js"
            printf '</script>\n'
        } >"$work/bench.body"
    fi
    "${awk_book[@]}" -f "$here/bench/bench.awk" "$work/bench.body" | write bench.html
}
