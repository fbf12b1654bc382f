#!/bin/bash
# Loops are unrolled as nvcc's compiler unrolls them, whichever clang is installed: how many loads of
# shared memory a warp makes in the kernels of unrolling.cu, by nvcc 13.0's code for sm_90; of those with
# an end in their names, how many stores.
# usage: unrolling.sh PROGRAM, which is unrolling.cu built by cpucc
. "$(dirname "$0")/../../traffic/tests/checks.sh"

CPUCC_REPORT=tsv CPUCC_REPORT_FILE=$work/counts.tsv expect 0 "$1"
"$root/plots/columns.sh" "$work/counts.tsv" kernel counter requests |
    awk -F '\t' '
        { gsub(/ /, "", $1) }
        $2 == "shared_load" || ($2 == "global_store" && $1 ~ /_end/) { print $1, $3 }' >"$work/found"
while IFS= read -r line; do
    check "nvcc's $line, here $(grep -F "${line% *} " "$work/found")" grep -qxF "$line" "$work/found"
done <<'END'
rounds<4,0> 1
rounds<32,0> 8
rounds<64,0> 16
rounds<128,0> 32
rounds<256,0> 64
rounds<30,0> 8
rounds<4,100> 4
rounds<4,90> 1
rounds<64,4> 16
rounds<64,12> 16
rounds<64,30> 32
rounds<64,45> 32
rounds<64,80> 32
rounds<64,100> 64
rounds<20,20> 10
rounds<16,18> 4
rounds<18,60> 9
by_pragma<1> 64
by_pragma<2> 32
by_pragma<4> 32
by_pragma<64> 16
nested<8,4> 8
nested<16,4> 16
nested<8,8> 16
nested<16,8> 32
nested<4,16> 16
nested<32,2> 16
halving<32> 11
halving<4> 5
growing<64> 25
growing<8> 4
END
# From clang 16 on, a sum in memory is stored once, behind the loop (shared/cpucc/README.md).
stores=1
case ${1##*/} in *clang-14.*) stores=18 ;; esac
for kernel in signed_end unsigned_end; do
    check "$kernel: $stores, here $(grep "^$kernel " "$work/found")" grep -qx "$kernel $stores" "$work/found"
done
# What nvcc's code makes here depends on the number of rounds; ours is the same under each clang.
check "at_run_time: $(grep at_run_time "$work/found")" grep -qx 'at_run_time 32' "$work/found"
check 'a kernel that the table lacks' [ "$(wc -l <"$work/found")" -eq $((passed + failed - 1)) ]
# What depends on the clang is marked in the report.
marks=$("$root/plots/columns.sh" "$work/counts.tsv" kernel counter may_differ | grep 'global_store' |
    grep -v '	-$' | cut -f 1,3 | tr '\t\n' ' ,')
if [ $stores = 18 ]; then expected=; else expected='signed_end sum,unsigned_end sum,'; fi
check "marked: $marks" [ "$marks" = "$expected" ]
finish
