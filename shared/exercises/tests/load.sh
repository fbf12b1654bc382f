#!/bin/bash
# A busy or small machine costs no marks: the checker calls a right answer solved, or says that this machine
# could not judge it. usage: load.sh FOLDER, the folder that tools.sh has made
name=naive4_stores tools=$1
. "$(dirname "$0")/exercises.sh"
export TMPDIR=$work/tmp
mkdir "$TMPDIR"

# A right answer that is slow enough to be found among the processes.
solution | sed 's/^    dim3 blocks/    for (volatile int i = 0; i < 100000000; i = i + 1) { }\n&/' >"$work/slow.cu"

# running PROGRAM: waits until the check runs this program and sets pid; false if the check ends first.
running() {
    while kill -0 "$judge" 2>/dev/null; do
        pid=$(find /proc/[0-9]*/exe -lname "$TMPDIR/*/$1" 2>/dev/null)
        pid=${pid#/proc/} pid=${pid%/exe}
        [ -z "$pid" ] || return 0
        sleep 0.02
    done
    return 1
}
unless_solved() { [ "$1" = solved ] || [ -z "$(find "$EXERCISES_OUT/kept" -type f 2>/dev/null)" ]; }
# during LABEL STATUS WORDS PROGRAM COMMAND: checks slow.cu and meanwhile runs COMMAND with PROGRAM's pid.
during() {
    answer "$1" "$2" "$3" <"$work/slow.cu" >"$work/told" &
    judge=$!
    if running "$4"; then eval "$5"; else fail "$1: $4 was not seen to run"; fi
    wait $judge
    if [ -s "$work/told" ]; then fail "$(cat "$work/told")"; else pass; fi
    check "$1: it is kept" unless_solved "$2"
}
during 'the launcher ended by the system' environment 'out of memory' launcher 'kill -KILL $pid'
during 'the device ended by the system' environment 'out of memory' device 'kill -KILL $pid'
# Time by the clock reaches neither the limit on processor time nor the limit on sleep, which is half as long.
EXERCISE_SECONDS=5 during 'stopped for a while' solved '' launcher \
    'kill -STOP $pid; sleep 3; kill -CONT $pid'
rm -rf "$EXERCISES_OUT/kept"
EXERCISE_PATIENCE=2 during 'stopped for good' environment 'too busy' device 'kill -STOP $pid'

# Tools of the same name without an object of the sandbox.
cp -r "$TOOLS" "$work" && rm "$work/${TOOLS##*/}/device.o"
rm -rf "$EXERCISES_OUT/kept"
TOOLS=$work/${TOOLS##*/} answer 'incomplete tools' unsolved 'could not be linked' < <(solution)
answer 'whole tools' solved '' < <(solution)
rm -rf "$EXERCISES_OUT/kept"

# The system kills a tool of the compiler: once, and every time.
mkdir "$work/shims"
cat >"$work/shims/mv" <<END
#!/bin/bash
if [ -e "$work/ends" ]; then
    [ -e "$work/always" ] || rm "$work/ends"
    kill -KILL \$\$
fi
exec "$(command -v mv)" "\$@"
END
chmod +x "$work/shims/mv"
PATH=$work/shims:$PATH
touch "$work/ends"
answer 'the compiler is ended once' solved '' < <(solution)
rm -rf "$EXERCISES_OUT/kept"
touch "$work/ends" "$work/always"
answer 'the compiler is ended always' environment 'this machine cannot compile' < <(solution)
finish
