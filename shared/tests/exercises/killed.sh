#!/bin/bash
# kill ends the exercise checker at once, with all that it has started. usage: killed.sh
. "$(dirname "$0")/../checks.sh"
"$root/shared/cpucc/find_clang.sh" >/dev/null || { skip "no clang"; finish; }
export EXERCISES_OUT=$work/out TMPDIR=$work/tmp EXERCISE_SECONDS=60
mkdir "$work/tmp" "$work/hand_in"
# Each runs for a minute: a loop in the launch function of an exercise that compiles.
for file in "$root"/steps/[0-9][0-9]_{naive,smem,coarsen}/exercises/*/task.cu; do
    name=$(basename "${file%/task.cu}")
    sed '/^static void launch/,/^}/s/^{/{\n    for (volatile int i = 0; i < 2; i = 0) { }/' "$file" \
        >"$work/hand_in/$name.cu"
done

# Whether a process has this test's folder in its arguments. (grep reads it from a file, or it would
# find itself.)
printf '%s' "$work/tmp" >"$work/pattern"
goes_on() { grep -qsaF -f "$work/pattern" /proc/[0-9]*/cmdline; }

# killed SIGNAL STATUS SECONDS ARGUMENT...: run_all.sh with these, a signal after so many seconds.
killed() {
    local started pid status
    "$root/run_all.sh" "${@:4}" >"$work/said" 2>&1 &
    pid=$!
    sleep "$3"
    started=$(date +%s%N)
    kill "-$1" $pid 2>/dev/null || { # a fast machine has ended it before
        wait $pid
        skip "$1 after $3 s, ${*:4}: had ended"
        return
    }
    wait $pid
    status=$?
    check "$1 after $3 s, ${*:4}: status $status" [ $status -eq "$2" ]
    check "$1 after $3 s, ${*:4}: ends at once" \
        [ $((($(date +%s%N) - started) / 1000000)) -lt 3000 ]
    check "$1 after $3 s, ${*:4}: something goes on" not goes_on
    check "$1 after $3 s, ${*:4}: left $(ls "$work/tmp")" [ -z "$(ls "$work/tmp")" ]
}
set -m # else what is started with & ignores SIGINT
killed TERM 143 1 --grade "$work/hand_in" # it is building its tools
killed INT 130 12 --grade "$work/hand_in"
killed TERM 143 6 --grade "$work/hand_in"
killed TERM 143 2 --exercises
killed HUP 129 1 --exercises
finish
