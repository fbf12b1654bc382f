#!/bin/bash
# run_all.sh's own command line, and that an interrupted run leaves the old results as they were.
# usage: run_all.sh; needs clang for the second part. Exit status 0 or 1.
set -u
cd "$(dirname "$0")/../../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# check NAME CONDITION...
check() {
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
    fi
}

# refused ARGUMENT...: exit status 2 and one line on standard error.
refused() {
    ./run_all.sh "$@" >"$work/out" 2>"$work/errors"
    check "run_all.sh $*: status $?" [ $? -eq 2 ]
    check "run_all.sh $*: one line" [ "$(cat "$work/out" "$work/errors" | wc -l)" -eq 1 ]
}

refused --frobnicate
refused --size
refused --size ''
refused --out ''
refused --size 0
refused --size -5
refused --size 12abc
refused --size 999999999999
touch "$work/file"
refused --out "$work/file"
check "--help" ./run_all.sh --help >"$work/out"

# On the CPU even where there is a GPU, because that is quick and the same everywhere.
export PATH="$work/bin:$PATH"
mkdir "$work/bin"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/nvidia-smi"
chmod +x "$work/bin/nvidia-smi"
if command -v clang >/dev/null; then
    ./run_all.sh --size 32 --out "$work/run" >"$work/out" 2>&1
    check "a run at 32 x 32" [ $? -eq 0 ]
    before=$(md5sum "$work/run/counts.tsv" "$work/run/lanes.tsv")
    for seconds in 1 2; do
        timeout -s INT $seconds ./run_all.sh --size 512 --out "$work/run" >"$work/out" 2>&1
        check "interrupted after $seconds s: what it says" grep -q '^interrupted' "$work/out"
        check "interrupted after $seconds s: the old files" \
            [ "$(md5sum "$work/run/counts.tsv" "$work/run/lanes.tsv")" = "$before" ]
    done
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
