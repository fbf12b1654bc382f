#!/bin/bash
# The tests of transpose.cuh can fail: with one mistake each in a copy of it, 300 random calls find it.
# usage: can_fail.sh
. "$(dirname "$0")/../checks.sh"
mkdir -p "$work/steps/08_any_shape" "$work/shared/tests/any_shape"
cp "$(dirname "$0")/library.cu" "$work/shared/tests/any_shape"
header=$work/steps/08_any_shape/transpose.cuh

# broken NAME SED-SCRIPT: builds and runs with the changed header, which must compile.
broken() {
    sed "$2" "$root/steps/08_any_shape/transpose.cuh" >"$header"
    check "$1 changes nothing" not cmp -s "$header" "$root/steps/08_any_shape/transpose.cuh"
    expect 0 "$root/shared/cpucc/cpucc" "$work/shared/tests/any_shape/library.cu" -o "$work/library"
    CPUCC_REPORT=off "$work/library" "${@:3}" >"$work/out" 2>&1
    check "$1 is not found" [ $? -eq 1 ]
}
broken 'reading one vector too far' 's/highest += bytes + TRANSPOSE_VECTOR - 1;/highest -= 64;/' fuzz 300
broken 'no barrier' '0,/__syncthreads();/s///' fuzz 300
broken 'one row too few' 's/start <= job.rows - V/start < job.rows - V - 1/; s/(unsigned)job.rows) {$/(unsigned)job.rows - 1) {/' \
    fuzz 300
broken 'windows past the end' 's/start <= job.rows - V/start <= job.rows/' fuzz 300
broken 'bytes in the wrong order' 's/0x5140/0x4150/' fuzz 300
broken 'no check of overlap' 's/apart < (long long)cols \* e ||/0 ||/' arguments
broken 'no check of alignment' 's/(uintptr_t)in % e != 0 ||//' arguments
finish
