#!/bin/bash
# The committed pages and charts agree with the recorded results and with the steps' current programs.
# usage: recorded.sh [FOLDER]; FOLDER holds the steps' programs for the CPU
. "$(dirname "$0")/plots.sh"
if [ $# -eq 1 ]; then
    export STEP_PROGRAMS=$1
    run "$plots/lanes.sh" "$work/lanes.tsv"
    check "the lanes of all steps" test $status -eq 0
    banks() { "$plots/columns.sh" "$work/lanes.tsv" step variant counter bank | sed -n "s/^$1\t//p" | sort -u | wc -l; }
    check "lanes that store a row of a tile meet 32 banks" test "$(banks "02_smem	tile32	shared_store")" -eq 32
    check "lanes that load its column meet one" test "$(banks "02_smem	tile32	shared_load")" -eq 1
    check "the same file on any day" lacks "$work/lanes.tsv" "# date"
    drawn() { run "$plots/draw.sh" "$1" --note recorded --only groups_06_vectorize.png --sums; }
    drawn "$plots/results/cpu"
    check "a variant that is recorded is drawn" has "$work/out" "$(grep ^groups_06 "$plots/figures/drawn_from.tsv")"
    mkdir "$work/cpu"
    grep -v 06_vectorize "$plots/results/cpu/counts.tsv" >"$work/cpu/counts.tsv"
    drawn "$work/cpu"
    check "a variant that is not recorded makes no chart stale" lacks "$work/out" groups_06
fi
check "committed tables and figures are up to date" "$plots/record.sh" --check
finish
