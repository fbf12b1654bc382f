#!/usr/bin/env bash
# Runs every step on the CPU and writes FILE, a lanes.tsv: the banks that each kernel's first warp accesses.
#
# usage: lanes.sh FILE
#
# If STEP_PROGRAMS is set, it is a folder with the steps' programs, built by shared/cpucc/cpucc and named
# like the steps. Otherwise make builds them in the steps' folders.
# Exit status: 0; 1 a step failed; 2 a usage error; 3 there is no clang or no make.
set -u
unset CDPATH
[ $# -eq 1 ] || { echo "usage: lanes.sh FILE" >&2; exit 2; }
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export CPUCC_LANES_FILE=$work/lanes.tsv
arguments="--size 256 --verify-only"
if [ -z "${STEP_PROGRAMS:-}" ]; then
    command -v make >/dev/null && "$top/shared/cpucc/find_clang.sh" >/dev/null 2>&1 || exit 3
fi
for folder in "$top"/steps/*/; do
    folder=${folder%/}
    [ ! -L "$folder" ] || continue # a link to a step
    if [ -n "${STEP_PROGRAMS:-}" ]; then
        # shellcheck disable=SC2086
        "$STEP_PROGRAMS/${folder##*/}" $arguments
    else
        make -s --no-print-directory -C "$folder" cpu VARIANTS= ARGS="$arguments"
    fi >"$work/log" 2>&1 || { tail -n 3 "$work/log" >&2; exit 1; }
done
grep -v '^# date: ' "$work/lanes.tsv" >"$1" # so that the file depends on the programs only
