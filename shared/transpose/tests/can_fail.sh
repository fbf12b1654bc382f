#!/bin/bash
# Checks that calls.cu finds mistakes: each mistake below must make one of 600 random problems, or the test of
# arguments, fail. One copy of the sources has all mistakes; the variable MISTAKE chooses one.
# usage: can_fail.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cp -r "$shared/transpose" "$work" || exit 1
cd "$work/transpose" || exit 1
# Only elements of 1 and 4 bytes are compiled, which takes a third of the time. A run ends at the first failure.
sed -i 's/BYTES + 2>/BYTES + 1>/; s/BYTES + \(8\|16\)>/BYTES + 4>/' launch.cuh
sed -i 's/^#include "transpose\/transpose.h"/static __managed__ int mistake; \/* which is made; 0: none *\/\n&/' problem.h
sed -i 's/t->element_bytes = 1 << between(r, 0, 4)/t->element_bytes = 1 << 2 * between(r, 0, 1)/
    s/i < count; i++/i < count \&\& !failures; i++/
    s/^    const char \*mode =/    mistake = getenv("MISTAKE") ? atoi(getenv("MISTAKE")) : 0;\n&/' tests/calls.cu

names=() arguments=()
# mistake NAME FILE SED-SCRIPT ARGUMENT...: adds a mistake that the program, run with these arguments, must find. @ in
# the script stands for the mistake's number.
mistake() {
    names+=("$1") arguments+=("${*:4}")
    cp "$2" before
    sed -i "${3//@/${#names[@]}}" "$2"
    check "$1 changes nothing" not cmp -s "$2" before
}
fuzz="fuzz 600"
mistake 'reading one vector too far' job.cuh 's/width \* 16 + 16 <= job.in_end/& + 64 * (mistake == @)/' "$fuzz"
mistake 'windows that read too far' core.cuh 's/bytes + 15 <= job.in_end/& + 64 * (mistake == @)/' "$fuzz"
mistake 'windows past the end' core.cuh 's/start <= job.rows - V)/start <= job.rows - V * (mistake != @))/' "$fuzz"
mistake 'vectors past the end' job.cuh 's/n <= most - V)/n <= most - V * (mistake != @))/' "$fuzz"
mistake 'bytes in the wrong order' job.cuh 's/0x5140/mistake == @ ? 0x4150 : &/' "$fuzz"
mistake 'a batch too few' job.cuh 's/if (job.batch\[d\] > 1)/if (job.batch[d] > 1 + (mistake == @))/' "$fuzz"
mistake 'the last choice for any problem' launch.cuh 's/if (memcmp(&now, &known, sizeof now) != 0/if (known.p.bytes == 0 || (mistake != @ \&\& memcmp(\&now, \&known, sizeof now) != 0)/' "$fuzz"
mistake 'no check of overlap' problem.h 's/if (in < out + out_all/if (mistake != @ \&\& in < out + out_all/' arguments
mistake 'no check of the output' problem.h 's/if (!transpose_injective(p))/if (mistake != @ \&\& !transpose_injective(p))/' arguments
mistake 'no check of alignment' problem.h 's/if (in % e != 0/if (mistake != @ \&\& in % e != 0/; s/|| out % e != 0)/|| (mistake != @ \&\& out % e != 0))/' arguments
for file in job.cuh core.cuh narrow.cuh; do
    while line=$(grep -nm 1 '^ *__sync\(threads\|warp\)();' "$file"); do
        line=${line%%:*}
        mistake "no barrier in line $line of $file" "$file" "${line}s/__sync/if (mistake != @) &/" "$fuzz"
    done
done

expect 0 "$shared/cpucc/cpucc" "-I$work" tests/calls.cu -o calls
export CPUCC_REPORT=off
expect 0 ./calls fuzz 100
expect 0 ./calls arguments
for ((number = 1; number <= ${#names[@]}; number++)); do
    # shellcheck disable=SC2086 # several words
    MISTAKE=$number ./calls ${arguments[number - 1]} >"$work/out" 2>&1
    check "${names[number - 1]} is not found" [ $? -eq 1 ]
    check "${names[number - 1]}: another failure" grep -q '^FAILED\|fault:' "$work/out"
done
finish
