# Sourced by run_all.sh: runs programs one at a time, and stops them on a signal.
# shellcheck shell=bash disable=SC2154

# find_steps: sets `steps` to the folders of the steps, in reading order, without links to them.
find_steps() {
    local folder
    steps=()
    for folder in steps/[0-9][0-9]_*; do
        [ ! -L "$folder" ] && [ -f "$folder/Makefile" ] && steps+=("${folder#steps/}")
    done
    [ ${#steps[@]} -gt 0 ] || stop 1 "there are no steps in $PWD/steps"
}

# program_of STEP: prints the name of the step's program, from its Makefile.
program_of() { sed -n 's/^PROGRAM *:\{0,1\}= *\([^ ]*\) *$/\1/p' "steps/$1/Makefile"; }

child='' # the process group that is running, if any
lock=''  # the descriptor of this run's lock, if it has one

# run COMMAND...: runs COMMAND in its own process group, so that a signal ends this script at once; returns
# COMMAND's exit status. COMMAND does not hold the lock, and ends if this script is killed.
run() {
    local status
    set -m
    # After a signal the subshell still waits until COMMAND has ended.
    (close_lock && trap 'exit 143' INT TERM HUP && "$@") </dev/null &
    child=$!
    coproc GUARD { trap '' INT TERM HUP; read -r || stop_child; } # the pipe ends with this script
    local guard=$GUARD_PID to_guard=${GUARD[1]}
    set +m
    wait "$child"
    status=$?
    child=''
    echo >&"$to_guard"
    wait "$guard"
    return $status
}

close_lock() { [ -z "$lock" ] || exec {lock}>&-; }

# stop_child: ends the running process group, after two seconds by SIGKILL.
stop_child() {
    local i
    [ -n "$child" ] || return 0
    kill -TERM -- "-$child" 2>/dev/null
    for ((i = 0; i < 20; i++)); do
        kill -0 -- "-$child" 2>/dev/null || return 0
        sleep 0.1
    done
    kill -KILL -- "-$child" 2>/dev/null
}

# run_program TITLE FILE COMMAND...: runs one program, which writes its results to FILE. Reports exit
# status 3 (this machine cannot run it), but does not count it as a failure.
run_program() {
    local title=$1 file=$2 status
    shift 2
    echo
    echo "== $title"
    run "$@" --tsv "$file"
    status=$?
    case $status in
    0) ;;
    3) echo "   not run on this machine" ;;
    *)
        failures=$((failures + 1))
        echo "   FAILED with exit status $status"
        ;;
    esac
}
