#!/bin/bash
# Tests the record of foreign kernels: at least 95 % of the counts are equal, most others are marked, and each
# difference has a reason. Also tests that foreign_counts.py notices violations and reads reports, and that
# foreign_runs.py edits, builds and runs a program.
# usage: foreign_counts.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
tool=$root/shared/cpucc/tests/foreign_counts.py
record=$root/shared/cpucc/tests/foreign_counts.tsv

expect 0 "$tool" "$record"
says '^[0-9]* of [0-9]* counts equal (\(9[5-9]\|100\)\.[0-9] %)'
expect 0 "$tool" "$record" --check
header=$(grep -m 1 -v '^#' "$record")
row=$(grep -v '^#' "$record" | sed -n 2p)
cut -f 1-13 <<<"$row" | sed "s/\$/\t77\t-\t-/" >"$work/row"
{ echo "$header"; cat "$work/row"; } >"$work/record.tsv"
expect 1 "$tool" "$work/record.tsv"
says 'NO REASON'
expect 1 "$tool" "$work/record.tsv" --check
IFS=$'\t' read -r run _ _ _ _ kernel launch _ _ counter _ <<<"$row"
printf 'kernel\tlaunch\tgrid\tblock\tcounter\trequests\twork\tideal_work\n' >"$work/$run.tsv"
printf '%s\t%s\t1,1,1\t1,1,1\t%s\t77\t78\t1\n' "$kernel" "$launch" "$counter" >>"$work/$run.tsv"
expect 0 "$tool" "$record" "$work/$run.tsv"
mv "$work/out" "$work/joined"
check 'as many rows' test "$(wc -l <"$work/joined")" -eq "$(wc -l <"$record")"
check 'the counts of the report' grep -q "$(printf '\t77\t78\t')" "$work/joined"
expect 2 "$tool"

again=$root/shared/cpucc/tests/foreign_runs.py
mkdir -p "$work/checkouts/gpu-matrix-transpose"
cat >"$work/checkouts/gpu-matrix-transpose/main.cu" <<'END'
#include <stdio.h>
__global__ void TransposeNaive(int *p) { p[threadIdx.x] = 1; }
int main(int, char **words)
{
    const int num_warmup = 10, num_iterations = 100;
    int *p;
    cudaMalloc(&p, 128);
    TransposeNaive<<<1, 32>>>(p);
    printf("%s %d %d\n", words[1], num_warmup, num_iterations);
}
END
expect 0 "$again" "$work/checkouts" "$work/runs" 'yen*'
says '^1 runs, 0 without a report$'
check 'argument and edits' grep -q '^512 2 5$' "$work/runs/yencal.out"
check 'its report' grep -q "$(printf '^TransposeNaive\t1\t.*\tglobal_store\t1\t4\t')" "$work/runs/yencal.tsv"
echo '#error' >"$work/checkouts/gpu-matrix-transpose/main.cu"
rm -r "$work/runs"
expect 1 "$again" "$work/checkouts" "$work/runs" 'yen*'
expect 2 "$again" "$work/none" "$work/runs"
finish
