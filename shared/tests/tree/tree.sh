# Functions for tests that read all files of the tree. Sourced, not run.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../../traffic/tests/checks.sh"
cd "$root" || exit 1

# files: prints every file of the tree, without links and files that git ignores.
files() {
    local file
    if [ -e .git ] && git ls-files -co --exclude-standard >"$work/listed" 2>/dev/null; then
        while IFS= read -r file; do
            [ ! -f "$file" ] || [ -L "$file" ] || printf '%s\n' "$file"
        done <"$work/listed"
    else
        find . -path ./out -prune -o -path ./build -prune -o -type f -printf '%P\n'
    fi
}

# sources: prints the C and CUDA files, including headers without an extension.
sources() { files | grep -E '\.(c|h|cu|cuh)$|^shared/cpucc/include/cuda/'; }

# scripts SHELL: prints the scripts whose first line names SHELL; for bash also *.sh files without such a line.
scripts() {
    local file first
    files | while IFS= read -r file; do
        IFS= read -r first <"$file"
        case $first in
        '#!'*/"$1" | '#!'*/"$1 "* | '#!'*" $1" | '#!'*" $1 "*) echo "$file" ;;
        '#!'*) ;;
        *) [[ $1 != bash || $file != *.sh ]] || echo "$file" ;;
        esac
    done 2>/dev/null
}
