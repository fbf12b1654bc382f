#!/bin/bash
# Tests other schedules: the search finds a program that fails in some order, reports the order and repeats
# it. A correct program is correct in all orders, with equal counts.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cd "$work" || exit 1
export CPUCC_REPORT=off
expect 0 "$shared/cpucc/cpucc" "$shared/cpucc/tests/schedule.cu" -o program

while read -r name fault; do
    expect 0 ./program "$name"
    CPUCC_SCHEDULE=search:200 expect 1 ./program "$name"
    says 'order [0-9]* fails, even with its first [0-9]* choices alone'
    says "schedule\.cu:.*: fault: $fault"
    order=$(sed -n 's/.*CPUCC_SCHEDULE=\(seed:[0-9:]*\)$/\1/p' err)
    cp err first
    CPUCC_SCHEDULE=$order expect 1 ./program "$name"
    check "$name: $order does it again" cmp -s <(grep 'order, choice' err) <(grep 'order, choice' first)
done <<'END'
blocks assertion failed
warps assertion failed
early_flag assertion failed
stage assertion failed
late_copy asynchronous copy not waited for: stage.1..0.
no_fence race (read after write): value:
reused_stage race (write after read): stage
END
CPUCC_SCHEDULE=search:20 expect 0 ./program right
says 'cpucc: 20 orders tried, none fails'
says '^sum 65024$'
CPUCC_REPORT=tsv CPUCC_REPORT_FILE=usual expect 0 ./program right
for seed in 1 2 3; do
    CPUCC_SCHEDULE=seed:$seed CPUCC_REPORT=tsv CPUCC_REPORT_FILE=other expect 0 ./program right
    check "seed $seed: the same counts" cmp -s <(grep shared_ usual) <(grep shared_ other)
done
expect 0 ./program lockstep
CPUCC_SCHEDULE=search:20 expect 0 ./program lockstep
CPUCC_SCHEDULE=lanes:1 expect 1 ./program lockstep
for seed in 1 2 3; do
    CPUCC_SCHEDULE=lanes:$seed expect 0 ./program right
done
for bad in seed seed:x seed:0 search:-1 seed:3:y lanes:0 lanes:1:2 often:3; do
    CPUCC_SCHEDULE=$bad expect 2 ./program right
    says "^CPUCC_SCHEDULE=$bad: "
done
finish
