# Functions for test scripts: sourced, not run. A script makes its checks and ends with `finish`.
# shellcheck shell=bash

unset CDPATH # or cd may go elsewhere
# `shared` is the folder that this component and cpucc lie in, `root` the one above it: a tree with
# steps, or, where the two are taken out of it, anything.
# shellcheck disable=SC2034 # for the scripts that source this
shared=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck disable=SC2034
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$(mktemp -d) || exit 1 # scratch folder, removed at the end
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)); }

# fail TEXT...: counts and prints one failure.
fail() {
    failed=$((failed + 1))
    echo "FAILED: $*"
}

# skip TEXT...: says what could not be tried here, and why.
skip() {
    skipped=$((skipped + 1))
    echo "skipped: $*"
}

# check NAME COMMAND...: passes if the command succeeds.
check() {
    local name=$1
    shift
    if "$@"; then pass; else fail "$name"; fi
}

# not COMMAND...: succeeds if the command fails.
not() { ! "$@"; }

# expect STATUS COMMAND...: passes if the command ends with that status. What it printed is left in
# $work/out and $work/err, and shown where it fails.
expect() {
    local expected=$1 status
    shift
    "$@" >"$work/out" 2>"$work/err"
    status=$?
    if [ $status -eq "$expected" ]; then
        pass
    else
        fail "status $status, expected $expected: $*"
        head -n 20 "$work/out" "$work/err"
    fi
}

# says PATTERN: passes if the output or the error of the last `expect` has a line that matches.
says() { check "no line matches '$1'" grep -qe "$1" "$work/out" "$work/err"; }

# finish: prints the sums and ends the script: 0, or 1 if something failed or nothing was checked, or
# 3 (CTest's "skipped") if everything was skipped.
finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ $failed -eq 0 ] || exit 1
    [ $passed -eq 0 ] || exit 0
    [ $skipped -eq 0 ] || exit 3
    echo "nothing was checked"
    exit 1
}
