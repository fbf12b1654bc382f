# Sourced by run_all.sh: the folder of results, "$out". Each of its files is replaced atomically.
# shellcheck shell=bash disable=SC2154

untouched='' # the state of the files in "$out", for the message of an interrupted run

# open_results: locks "$out" and makes an empty folder "$out/parts" to work in.
open_results() {
    mkdir -p "$out/parts" 2>/dev/null
    [ -w "$out/parts" ] || wrong_usage "--out $out: cannot write there"
    lock "$out" "another run is writing to $out: wait until it ends, or use --out DIR"
    untouched="$out is unchanged, except $out/parts"
    rm -rf "$out/parts"
    mkdir -p "$out/parts/figures" || stop 1 "$out: cannot write there"
}

# lock FOLDER TEXT: locks FOLDER until this run ends; if another run holds the lock, ends with the error TEXT.
lock() {
    have flock || return 0
    exec {lock}<"$1" || return 0
    flock -n "$lock" || stop 1 "$2"
}

# has_python: succeeds if python3 is installed; merging, tables and charts need it.
has_python() { have python3; }

# publish FILE...: moves finished files from "$out/parts" to "$out". If one is missing or empty, it moves
# none and fails.
publish() {
    local name
    for name in "$@"; do
        [ -s "$out/parts/$name" ] || return 1
    done
    trap '' INT TERM HUP # moving takes milliseconds
    for name in "$@"; do
        mv -f "$out/parts/$name" "$out/$name" || failures=$((failures + 1))
        untouched="of $out the results are new, the figures as they were: plots/draw.sh draws them"
    done
    handle_signals
}

# publish_figures: moves all files from "$out/parts/figures" to "$out/figures".
publish_figures() {
    local file
    trap '' INT TERM HUP
    (cd "$out/parts/figures" && find . -type f -print0) | while IFS= read -r -d '' file; do
        mkdir -p "$out/figures/${file%/*}" &&
            mv -f "$out/parts/figures/$file" "$out/figures/$file" || exit 1
    done || failures=$((failures + 1))
    untouched="the results in $out are new, and so are the figures"
    handle_signals
}

exec {errors}>&2 # the script's stderr, for the message of an interrupted run

handle_signals() {
    trap 'interrupted 130' INT
    trap 'interrupted 143' TERM
    trap 'interrupted 129' HUP
}

interrupted() {
    trap '' INT TERM HUP
    exec 2>/dev/null # hides the shell's messages about ended processes
    stop_child
    printf '\ninterrupted: %s\n' "$untouched" >&"$errors"
    exit "$1"
}
