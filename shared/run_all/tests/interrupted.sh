#!/bin/bash
# A run that is interrupted stops at once with everything it started, says what has changed, and
# what it says is so. Nothing goes on after SIGKILL either. usage: interrupted.sh
. "$(dirname "$0")/workbook.sh"
make_workbook "$work/book"
out=$work/results
expect 0 "$work/book/run_all.sh" --size 32 --out "$out"
check 'there are counts' [ -s "$out/counts.tsv" ]

# Whether a process has this test's folder in its arguments. (grep reads it from a file, or it would
# find itself.)
printf '%s' "$work/book" >"$work/pattern"
goes_on() { grep -qsaF -f "$work/pattern" /proc/[0-9]*/cmdline; }

# interrupt SIGNAL STATUS WHEN VARIABLE=VALUE: ends a run once its output has a line with WHEN.
interrupt() {
    local pid before after started status
    before=$(print_of "$out")
    env "$4" FAKE_ROWS=7 "$work/book/run_all.sh" --size 32 --out "$out" >"$work/said" 2>&1 &
    pid=$!
    for ((i = 0; i < 600; i++)); do
        grep -qe "$3" "$work/said" && break
        sleep 0.05
    done
    sleep 0.3
    started=$(date +%s%N)
    kill "-$1" $pid
    wait $pid
    status=$?
    check "$1 while $3: status $status" [ $status -eq "$2" ]
    check "$1 while $3: ends at once" [ $((($(date +%s%N) - started) / 1000000)) -lt 20000 ] # what goes on lasts a minute
    if [ "$1" = KILL ]; then # the programs notice that the script has ended
        for ((i = 0; i < 60; i++)); do goes_on || break; sleep 0.1; done
        echo "interrupted: $out is unchanged" >>"$work/said"
    fi
    check "$1 while $3: says so" grep -q '^interrupted: ' "$work/said"
    check "$1 while $3: something goes on" not goes_on
    after=$(print_of "$out")
    if grep -q "^interrupted: $out is unchanged" "$work/said"; then
        check "$1 while $3: it is not as it was" [ "$before" = "$after" ]
    else
        check "$1 while $3: what is new?" \
            grep -q "^interrupted: of $out the results are new, the figures as" "$work/said"
        check "$1 while $3: the results are not new" [ "$(grep -c v6 "$out/counts.tsv")" -eq 2 ]
        check "$1 while $3: the figures changed" \
            [ "$(grep figures <<<"$before")" = "$(grep figures <<<"$after")" ]
    fi
}
# SIGINT is ignored in what a script starts with &, so job control is on.
set -m
interrupt INT 130 '^== 01_first' FAKE_SLEEP=60
check 'it says that nothing has changed' grep -q 'is unchanged' "$work/said"
interrupt TERM 143 '^== 02_second' FAKE_SLEEP=1
interrupt KILL 137 '^building' FAKE_SLEEP=60
interrupt KILL 137 '^== 01_first' FAKE_SLEEP=60
interrupt INT 130 '^building' FAKE_SLEEP=60
interrupt INT 130 '^drawing' FAKE_DRAWING=60
check 'it says that the results have changed' grep -q 'are new' "$work/said"
interrupt TERM 143 '^drawing' FAKE_DRAWING=60
finish
