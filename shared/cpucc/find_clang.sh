#!/bin/sh
# Prints the clang that cpucc uses: the first of clang, clang++, and those of a version's name
# (clang-15), that is version 14 or newer. CLANGXX names another one, which is taken as it is.
#
# Exit status: 0; 1 there is none (and nothing is printed).
set -u
oldest=14

# major COMMAND: the major version, or 0 if that is no clang. Debian's folders say it, which is
# quicker than to ask.
major() {
    path=$(readlink -f "$(command -v "$1")")
    case $path in
    */lib/llvm-[1-9][0-9]/bin/*)
        path=${path##*/lib/llvm-}
        echo "${path%%/*}"
        return
        ;;
    esac
    "$1" --version 2>/dev/null | sed -n 's/.*clang version \([0-9]*\).*/\1/p' | head -n 1 |
        grep . || echo 0
}

if [ -n "${CLANGXX:-}" ]; then
    printf '%s\n' "$CLANGXX"
    exit 0
fi
# The plain name is the system's choice; then those that we test, the newest first; then others.
for version in '' 19 18 17 16 15 14 20 21 22 23 24 25; do
    for name in clang clang++; do
        clang=$name${version:+-$version}
        command -v "$clang" >/dev/null 2>&1 || continue
        [ "$(major "$clang")" -ge $oldest ] || continue
        echo "$clang"
        exit 0
    done
done
exit 1
