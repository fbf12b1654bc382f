#!/bin/bash
# Accesses that lanes make ahead of their warp (deferred_access.c) change nothing: with a schedule, even the
# usual one, lanes stop at each access, and counts, faults and their order are the same.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
export CPUCC_REPORT=lines CPUCC_PATIENCE=1

# both PROGRAM [NAME]: it says the same either way.
both() {
    CPUCC_REPORT_FILE=$work/counts.ahead CPUCC_FAULTS_FILE=$work/faults.ahead timeout 60 "$@" \
        >"$work/out.ahead" 2>"$work/err.ahead"
    echo $? >>"$work/out.ahead"
    CPUCC_REPORT_FILE=$work/counts.step CPUCC_FAULTS_FILE=$work/faults.step \
        CPUCC_SCHEDULE=seed:1:0 timeout 60 "$@" >"$work/out.step" 2>"$work/err.step"
    echo $? >>"$work/out.step"
    for what in counts faults out; do
        : >>"$work/$what.ahead" && : >>"$work/$what.step"
        sed -i 's/0x[0-9a-f]*/address/g' "$work/$what.ahead" "$work/$what.step" # other in each run
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
