#!/bin/bash
# A signal ends the checker and all processes that it has started at once; after SIGKILL the next run
# removes what is left. usage: killed.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
"$root/shared/cpucc/find_clang.sh" >/dev/null || { skip "no clang"; finish; }
export EXERCISES_OUT=$work/out TMPDIR=$work/tmp EXERCISE_SECONDS=60
mkdir "$work/tmp" "$work/hand_in"
# Submissions that run for a minute each: their launch functions loop.
for file in "$root"/steps/[0-9][0-9]_{naive,smem,coarsen}/exercises/*/task.cu; do
    name=$(basename "${file%/task.cu}")
    sed '/^static void launch/,/^}/s/^{/{\n    for (volatile int i = 0; i < 2; i = 0) { }/' "$file" \
        >"$work/hand_in/$name.cu"
done

# True if a process has this test's folder in its arguments. (grep reads the pattern from a file; otherwise
# it would find itself.)
printf '%s' "$work/tmp" >"$work/pattern"
printf '%s\n' "$work/tmp" "$work/out/tools-" >"$work/patterns"
goes_on() { grep -qsaF -f "$work/pattern" /proc/[0-9]*/cmdline; }
lives_on() { grep -qsaF -f "$work/patterns" /proc/[0-9]*/cmdline; }
# Events at which a signal is sent: the tools are being built; a submission runs.
builds() { compgen -G "$EXERCISES_OUT/tools-*.part/*.o" >/dev/null; }
runs() { [ -n "$(find /proc/[0-9]*/exe -lname "$work/tmp/*/launcher" 2>/dev/null)" ]; }

# killed SIGNAL STATUS EVENT ARGUMENT...: runs run_all.sh with these arguments and sends the signal at the
# event. If the signal comes too late, tries again in another run.
killed() {
    local label="$1 when it $3: ${*:4}" started pid status
    for _ in 1 2 3 4 5; do
        rm -rf "$EXERCISES_OUT/kept"
        "$root/run_all.sh" "${@:4}" >"$work/said" 2>&1 &
        pid=$!
        until "$3"; do kill -0 $pid 2>/dev/null || break; done
        started=$(date +%s%N)
        if kill "-$1" $pid 2>/dev/null; then
            wait $pid
            status=$?
            [ $status -ne 0 ] && [ $status -ne 1 ] && break
        else
            wait $pid
            status=none
        fi
    done
    check "$label: status $status: $(tail -n 3 "$work/said")" [ "$status" = "$2" ]
    check "$label: ends at once" [ $((($(date +%s%N) - started) / 1000000)) -lt 20000 ] # a process that is not ended runs for a minute
    if [ "$1" = KILL ]; then # its children notice
        for _ in $(seq 100); do lives_on || break; sleep 0.1; done
    fi
    check "$label: something goes on" not lives_on
    [ "$1" = KILL ] || check "$label: left $(ls "$work/tmp")" [ -z "$(ls "$work/tmp")" ]
}
set -m # otherwise a command started with & ignores SIGINT
killed TERM 143 builds --grade "$work/hand_in"
killed KILL 137 builds --grade "$work/hand_in"
killed INT 130 runs --grade "$work/hand_in"
killed KILL 137 runs --grade "$work/hand_in"
killed TERM 143 goes_on --grade "$work/hand_in"
killed TERM 143 goes_on --exercises naive
killed HUP 129 goes_on --exercises naive
check 'half-built tools are left' not compgen -G "$EXERCISES_OUT/tools-*.part"
finish
