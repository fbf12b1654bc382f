# Sourced by run_all.sh: the folder of results, which changes by whole files only.
# shellcheck shell=bash disable=SC2154

untouched='' # what happened to the files of "$out" so far, for who interrupts

# open_results: one run at a time in "$out", with an empty "$out/parts" to work in.
open_results() {
    mkdir -p "$out/parts" 2>/dev/null
    [ -w "$out/parts" ] || wrong_usage "--out $out: cannot write there"
    lock "$out" "another run is writing to $out: wait for its end, or give this one --out DIR"
    untouched="$out is as it was, but for $out/parts"
    rm -rf "$out/parts"
    mkdir -p "$out/parts/figures" || stop 1 "$out: cannot write there"
}

# lock FOLDER TEXT: ends with TEXT if another run has locked the folder; held until this run ends.
lock() {
    local descriptor
    have flock || return 0
    exec {descriptor}<"$1" || return 0
    flock -n "$descriptor" || stop 1 "$2"
}

# has_python: succeeds if python3 is here; without it nothing is merged, tabulated or drawn.
has_python() { have python3; }

# publish FILE...: moves finished files from "$out/parts" to "$out". Nothing is moved unless all of
# them are there.
publish() {
    local name
    for name in "$@"; do
        [ -s "$out/parts/$name" ] || return 1
    done
    trap '' INT TERM HUP # a matter of milliseconds
    for name in "$@"; do
        mv -f "$out/parts/$name" "$out/$name" || failures=$((failures + 1))
        untouched="of $out the results are new, the figures as they were: plots/draw.sh draws them"
    done
    handle_signals
}

# publish_figures: moves the drawn ones from "$out/parts/figures" to "$out/figures".
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

exec {errors}>&2 # where an interruption is reported, wherever the output goes at the time

handle_signals() {
    trap 'interrupted 130' INT
    trap 'interrupted 143' TERM
    trap 'interrupted 129' HUP
}

interrupted() {
    trap '' INT TERM HUP
    exec 2>/dev/null # the shell's word on each process that it ends
    stop_child
    printf '\ninterrupted: %s\n' "$untouched" >&"$errors"
    exit "$1"
}
