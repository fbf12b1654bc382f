#!/bin/bash
# Every variant of step 08's program is right on elements of every size, ragged and narrow matrices,
# batches, pitches and offsets. usage: problems.sh [--large] PROGRAM; --large adds matrices of gigabytes.
# Exit status: 0, 1 a failure, 3 no device.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
large=no
if [ "$1" = --large ]; then large=yes && shift; fi
program=$1

# verified OPTION...: passes if all variants are right; skips a problem that does not fit into the device's memory.
verified() {
    "$program" --verify-only "$@" >"$work/out" 2>&1
    case $? in
    0) pass ;;
    3) skip "$*: $(tail -n 1 "$work/out")" ;;
    *)
        fail "$*:"
        tail -n 20 "$work/out"
        ;;
    esac
    check "$*: a fault" not grep -q fault: "$work/out"
}

"$program" --size 1 --verify-only >"$work/out" 2>&1
if [ $? -eq 3 ]; then
    skip "$(cat "$work/out")"
    finish
fi
for bytes in 1 2 4 8 16; do
    for size in 1x1 1x257 257x1 1x1024 1024x1 2x3 63x65 100x60; do
        verified --element-bytes $bytes --rows ${size%x*} --cols ${size#*x}
    done
    verified --element-bytes $bytes --rows 64 --cols 64 --batches 3
    verified --element-bytes $bytes --rows 31 --cols 33 --batches 3 --offset $bytes
    verified --element-bytes $bytes --rows 7 --cols 5 --batches 300
    verified --element-bytes $bytes --rows 63 --cols 65 --offset 7 --in-pitch 77 --out-pitch 64
    verified --element-bytes $bytes --rows 3 --cols 1000 --offset 1
done

# A results file names the element size and the batches unless the problem is one matrix of floats.
expect 0 "$program" --rows 8 --cols 16 --element-bytes 2 --batches 3 --variant windows --rounds 1 --tsv "$work/rows.tsv"
check "the columns of other elements and of batches" \
    [ "$("$root/plots/columns.sh" "$work/rows.tsv" variant element_bytes batches | head -n 1)" = $'windows\t2\t3' ]

# fits BYTES SIZE...: verifies the first of the sizes that fits into the device's memory.
fits() {
    local bytes=$1 size
    shift
    for size; do
        "$program" --verify-only --element-bytes "$bytes" --rows "${size%x*}" --cols "${size#*x}" \
            >"$work/out" 2>&1
        case $? in
        0) pass && return ;;
        3) skip "$size of $bytes bytes: $(tail -n 1 "$work/out")" ;;
        *) fail "$size of $bytes bytes: $(tail -n 20 "$work/out")" && return ;;
        esac
    done
}
if [ $large = yes ]; then
    for bytes in 1 2 4 8 16; do
        fits $bytes 1003x777
        fits $bytes 4097x4095
        fits $bytes 46341x46341 30001x30001 20001x20001
        fits $bytes 65540x65540 40004x40004 20004x20004
        fits $bytes 1x300000000 1x150000001
        fits $bytes 300000000x1 150000001x1
        fits $bytes 3x100000000
        fits $bytes 100000001x3
    done
    for bytes in 1 2 4; do
        verified --element-bytes $bytes --rows 2147483647 --cols 2 --variant windows --variant runs --variant transpose
    done
    verified --element-bytes 1 --rows 2147483647 --cols 3 --variant vectors
    verified --element-bytes 1 --rows 2 --cols 2147483647 --variant transpose
    verified --rows 7 --cols 5 --batches 70000
    verified --rows 2 --cols 3 --batches 100000000 --element-bytes 1
fi
finish
