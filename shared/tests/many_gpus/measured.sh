#!/bin/bash
# What the program of several devices writes when it measures, tried on two devices of the CPU run.
# usage: measured.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cpucc=${CPUCC:-$shared/cpucc/cpucc}
"$cpucc" --version >"$work/version" 2>&1 || { skip "no clang"; finish; }
expect 0 "$cpucc" '-Dnote(x)=(void)0' -I"$shared/harness/tests/hooks" -I"$shared" \
    "$(grep -l 'run_many(' "$root"/steps/*/*.cu)" -o "$work/program"
export CPUCC_REPORT=off

expect 0 env CPUCC_DEVICES=2 "$work/program" --size 40 --rounds 2 --nccl none --variant graph --variant nccl --tsv "$work/m.tsv"
says '^nccl skipped: --nccl names no library that can be loaded$'
check "rows: $(cut -f 2,5 "$work/m.tsv")" [ "$(grep -v '^#' "$work/m.tsv" | cut -f 2,5,14 | tr '\t\n' ' ;')" = \
    'variant status gpus;graph ok 2;nccl skipped 2;ceiling ok 2;' ]
check "percentages: $(cat "$work/m.tsv")" awk -F'\t' '
    /^#/ {next}
    {ms[$2] = $6; copy[$2] = $9; memcpy[$2] = $13}
    END {p = 100 * ms["ceiling"] / ms["graph"]
         exit !(copy["graph"] - p < 0.01 && p - copy["graph"] < 0.01 && copy["ceiling"] == 100 && memcpy["ceiling"] <= 100)}' \
    "$work/m.tsv"
check "the command is whole" grep -q '^# command: .*--nccl none --variant graph' "$work/m.tsv"
expect 0 "$work/program" --size 40 --rounds 2 --nccl none --tsv "$work/one.tsv"
check "one device: no figures" [ "$(grep -v '^#' "$work/one.tsv" | cut -f 6,8 | sort -u | grep -vc '^time')" = 1 ]

# An NCCL that fails, and one that is too old, are reasons to leave it out.
cat >"$work/nccl.c" <<'END'
int ncclGetUniqueId(void *id) { return 0; }
int ncclCommInitRank(void) { return 5; }
int ncclGroupStart(void) { return 0; }
int ncclGroupEnd(void) { return 0; }
int ncclSend(void), ncclRecv(void);
int ncclAllReduce(void) { return 0; }
const char *ncclGetErrorString(int error) { return error == 5 ? "made up" : "no error"; }
END
expect 0 cc -shared -fPIC -w "$work/nccl.c" -o "$work/old.so"
sed -i 's/^int ncclSend.*/int ncclSend(void) { return 5; } int ncclRecv(void) { return 5; }/' "$work/nccl.c"
expect 0 cc -shared -fPIC -w "$work/nccl.c" -o "$work/new.so"
expect 0 "$work/program" --size 8 --verify-only --nccl "$work/old.so" --variant nccl
says '^nccl skipped: this NCCL is older than 2.7$'
expect 0 "$work/program" --size 8 --verify-only --nccl "$work/new.so" --variant nccl --variant nccl_copy
says '^nccl_copy skipped: made up$'
says '^nccl skipped: made up$'
finish
