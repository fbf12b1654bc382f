#!/bin/bash
# Tests that deferring accesses (deferred_access.c: a lane runs ahead of its warp) does not change reports. With
# CPUCC_SCHEDULE lanes stop at each access; counts, faults and their order must be the same.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
export CPUCC_REPORT=lines CPUCC_PATIENCE=60

# both PROGRAM [NAME]: runs the program both ways and compares.
both() {
    CPUCC_REPORT_FILE=$work/counts.ahead CPUCC_FAULTS_FILE=$work/faults.ahead timeout 60 "$@" \
        >"$work/out.ahead" 2>"$work/err.ahead"
    echo $? >>"$work/out.ahead"
    CPUCC_REPORT_FILE=$work/counts.step CPUCC_FAULTS_FILE=$work/faults.step \
        CPUCC_SCHEDULE=seed:1:0 timeout 60 "$@" >"$work/out.step" 2>"$work/err.step"
    echo $? >>"$work/out.step"
    for what in counts faults out; do
        : >>"$work/$what.ahead" && : >>"$work/$what.step"
        sed -i 's/0x[0-9a-f]*/address/g' "$work/$what.ahead" "$work/$what.step" # addresses differ per run
        check "${*:2}: other $what" cmp "$work/$what.ahead" "$work/$what.step"
    done
}

for source in order/within_block faults/beginners; do
    expect 0 "$shared/cpucc/cpucc" -I"$shared" "$shared/cpucc/tests/$source.cu" -o "$work/program"
    while read -r name; do
        both "$work/program" "$name"
    done < <(sed -nE 's/^(CASE|PROGRAM)\(([a-z_0-9]+)\).*/\2/p' "$shared/cpucc/tests/$source.cu")
done
finish
