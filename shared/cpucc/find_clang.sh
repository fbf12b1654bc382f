#!/bin/sh
# Prints the clang that cpucc uses: $CLANGXX if set, else the first of clang, clang++ and clang-VERSION
# that is version 14 or newer and uses libLLVM as a shared library.
#
#   find_clang.sh --skipped    prints those before it that have LLVM built in, which cpucc cannot use
#
# Exit status: 0; 1 if there is none (prints nothing).
set -u
oldest=14

# read_major COMMAND: sets major to the major version, or 0 if COMMAND is not clang. Reads it from the name of
# Debian's folder in $path, the command's file, if it can, which is faster than running COMMAND.
read_major() {
    case $path in
    */lib/llvm-[1-9][0-9]/bin/*) major=${path##*/lib/llvm-} major=${major%%/*} ;;
    *) major=$("$1" --version 2>/dev/null | sed -n 's/.*clang version \([0-9]*\).*/\1/p' | head -n 1) ;;
    esac
}

# shares_llvm: whether the program $path uses libLLVM as a shared library. Debian's do; a script is
# taken to run one that does.
shares_llvm() {
    case $path in */lib/llvm-[1-9][0-9]/bin/*) return 0 ;; esac
    [ "$(head -c 2 "$path")" = '#!' ] || grep -q 'libLLVM[-.]' "$path"
}

if [ -n "${CLANGXX:-}" ]; then
    [ "${1:-}" = --skipped ] || printf '%s\n' "$CLANGXX"
    exit 0
fi
# Tries the unversioned command first, then the tested versions, newest first, then others.
for number in '' 19 18 17 16 15 14 20 21 22 23 24 25; do
    for name in clang clang++; do
        clang=$name${number:+-$number}
        path=$(readlink -f "$(command -v "$clang")" 2>/dev/null) || continue
        read_major "$clang"
        [ "${major:-0}" -ge $oldest ] || continue
        if ! shares_llvm; then
            [ "${1:-}" != --skipped ] || echo "$clang"
            continue
        fi
        [ "${1:-}" = --skipped ] || echo "$clang"
        exit 0
    done
done
exit 1
