#!/bin/bash
# Checks that the tests of transpose.cuh find mistakes: each mistake below must make one of 1000 random calls, or
# the test of arguments, fail. One copy of the header has all mistakes; the variable MISTAKE chooses one.
# usage: can_fail.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
mkdir -p "$work/steps/08_any_shape" "$work/shared/tests/any_shape"
header=$work/steps/08_any_shape/transpose.cuh program=$work/shared/tests/any_shape/library.cu
{
    echo 'static __managed__ int mistake; /* which is made; 0: none */'
    cat "$root/steps/08_any_shape/transpose.cuh"
} >"$header"
# Only elements of 1 and 4 bytes and one way to load are compiled, which takes a fifth of the time. A run
# ends at the first wrong call.
sed -i 's/transpose_launch<2>/transpose_launch<1>/; s/transpose_launch<\(8\|16\)>/transpose_launch<4>/
    s/<BYTES, \(LARGE\|WIDE\|FLAT\|FLATTER\|TALL\), [^,>]*, /<BYTES, LARGE, 0, /' "$header"
sed 's/^static const int all_bytes\[\] = .*/static const int all_bytes[] = {1, 4, 4, 4, 4};/
    s/i < count; i++/i < count \&\& !failures; i++/
    s/^    int devices = 0;/&\n    mistake = getenv("MISTAKE") ? atoi(getenv("MISTAKE")) : 0;/' \
    "$(dirname "$0")/library.cu" >"$program"

names=() arguments=()
# mistake NAME SED-SCRIPT ARGUMENT...: adds a mistake that the program, run with these arguments, must find. @ in
# the script stands for the mistake's number.
mistake() {
    names+=("$1") arguments+=("${*:3}")
    cp "$header" "$work/before"
    sed -i "${2//@/${#names[@]}}" "$header"
    check "$1 changes nothing" not cmp -s "$header" "$work/before"
}
mistake 'reading one vector too far' \
    's/highest += bytes + TRANSPOSE_VECTOR - 1;/highest += mistake == @ ? -64 : bytes + TRANSPOSE_VECTOR - 1;/' fuzz 1000
mistake 'one row too few' \
    's/start <= job.rows - V/& - 2 * (mistake == @)/; s/(unsigned)job.rows) {$/(unsigned)job.rows - (mistake == @)) {/' fuzz 1000
mistake 'windows past the end' 's/start <= job.rows - V/& * (mistake != @)/' fuzz 1000
mistake 'bytes in the wrong order' 's/0x5140/mistake == @ ? 0x4150 : &/' fuzz 1000
mistake 'no check of overlap' 's/apart < (long long)cols \* e ||/(mistake != @ \&\& apart < (long long)cols * e) ||/' arguments
mistake 'no check of alignment' 's/(uintptr_t)in % e != 0 ||/(mistake != @ \&\& (uintptr_t)in % e != 0) ||/' arguments
while line=$(grep -nm 1 '^ *__syncthreads();' "$header"); do
    line=${line%%:*}
    mistake "no barrier in line $((line - 1))" "${line}s/__syncthreads();/if (mistake != @) &/" fuzz 1000
done

expect 0 "$root/shared/cpucc/cpucc" "$program" -o "$work/library"
export CPUCC_REPORT=off
expect 0 "$work/library" fuzz 300
expect 0 "$work/library" arguments
for ((number = 1; number <= ${#names[@]}; number++)); do
    # shellcheck disable=SC2086 # several words
    MISTAKE=$number "$work/library" ${arguments[number - 1]} >"$work/out" 2>&1
    check "${names[number - 1]} is not found" [ $? -eq 1 ]
    check "${names[number - 1]}: no result is wrong" grep -q '^FAILED' "$work/out"
done
finish
