#!/bin/bash
# Neighbouring accesses are merged where nvcc's compiler merges them, and nowhere else: how many
# requests the kernels of merging.cu make, by nvcc 13.0's code for sm_90.
# usage: merging.sh PROGRAM, which is merging.cu built by cpucc
. "$(dirname "$0")/../../traffic/tests/checks.sh"

CPUCC_REPORT=tsv CPUCC_REPORT_FILE=$work/counts.tsv expect 0 "$1"
"$root/plots/columns.sh" "$work/counts.tsv" kernel counter requests |
    awk -F '\t' '{ n[$1 " " $2] = $3; kernel[$1] }
        END {
            for (k in kernel)
                print k, n[k " global_load"] + 0, n[k " global_store"] + 0, \
                    n[k " shared_load"] + 0, n[k " shared_store"] + 0
        }' >"$work/found"
# kernel, then loads and stores of global memory, loads and stores of shared memory
while IFS= read -r line; do
    check "nvcc's $line, here $(grep "^${line%% *} " "$work/found")" grep -qxF "$line" "$work/found"
done <<'END'
matrix_product 64 32 1280 64
pitch33 32 1 32 32
pitch34 32 1 16 32
pitch36 32 1 8 32
store_row 4 1 1 1
store_pairs 2 1 1 1
store_in_turns 8 1 2 8
last_two 4 1 1 4
middle_two 4 1 2 4
first_and_third 4 1 2 4
backwards 4 1 1 4
store_between 4 1 2 5
barrier_between 4 1 2 4
other_memory_between 4 2 1 4
shuffle_between 4 1 1 4
mixed 4 1 1 4
doubles 2 1 1 2
behind_odd 4 1 5 5
behind_odd_aligned 4 1 2 5
dynamic_rows 4 1 5 8
floats 4 1 0 0
members 1 1 0 0
own_members 1 1 0 0
own_array 4 4 0 0
may_overlap 2 2 0 0
is_restricted 1 2 0 0
one_member 1 1 0 0
two_members 1 1 0 0
two_far_members 2 1 0 0
three_members 1 1 0 0
long_loop 32 1 256 32
kept_loop 4 1 4 4
block_of_registers 8 1 16 8
stored_elsewhere 1 1 2 2
whole_chars 4 4 0 0
whole_aligned_chars 1 1 0 0
whole_shorts 2 2 0 0
whole_two_ints 2 2 0 0
whole_four_ints 4 4 0 0
whole_five_ints 5 5 0 0
whole_six_ints 3 3 0 0
whole_two_doubles 2 2 0 0
whole_mixed_sizes 2 2 0 0
whole_packed 5 5 0 0
row_of_32 32 1 8 32
store_either 1 1 0 0
store_chosen 2 1 0 0
END
check "a kernel that the table lacks" [ "$(wc -l <"$work/found")" -eq $((passed + failed - 1)) ]
finish
