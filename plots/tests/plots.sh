# Functions for the tests of plots/. Sourced, not run. All data of these tests is made up.
# shellcheck shell=bash disable=SC2034,SC2154
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/../../shared/traffic/tests/checks.sh"
data=$here/data
plots=$root/plots

need_gnuplot() { command -v gnuplot >/dev/null || { skip "gnuplot is not installed"; finish; }; }

# run COMMAND...: runs COMMAND with stdout in $work/out, stderr in $work/err, and its exit status in $status.
run() {
    "$@" >"$work/out" 2>"$work/err"
    status=$?
}

# fails STATUS TEXT: true if the last run exited with STATUS and printed one line of error that contains TEXT.
fails() {
    if [ "$status" -eq "$1" ] && [ "$(wc -l <"$work/err")" -eq 1 ] && grep -qF -- "$2" "$work/err"; then return; fi
    echo "status $status, said:"
    cat "$work/err"
    return 1
}

has() { grep -qF -- "$2" "$1" || { echo "no '$2' in:"; head -n 40 "$1"; return 1; }; }
lacks() { ! grep -qF -- "$2" "$1"; }
columns() { grep -v '^#' "$data/full/bandwidth.tsv" | head -n 1; }
row() { printf '%s\n' "$*" | tr ' ' '\t'; }

# made_lanes: prints a lanes file: reads of 02_smem, all in one bank, and 16-byte writes of 07_tma without conflicts.
made_lanes() {
    row step variant counter lane bank word wavefront part ideal_work
    local lane word
    for lane in {0..31}; do row 02_smem tile32 shared_load "$lane" 5 $((lane * 32 + 5)) "$lane" 0 1; done
    for lane in {0..31}; do
        for word in {0..3}; do
            row 07_tma tma_plain shared_store "$lane" $(((4 * lane + word) % 32)) $((4 * lane + word)) $((lane / 8)) $((lane / 8)) 4
        done
    done
}

# print_of FOLDER: prints every file below FOLDER with its contents, to detect changes.
print_of() { (cd "$1" && find . -type f | sort | xargs cksum); }

# whole NAME: true if the folder $figures has the picture NAME, complete and in only one format.
whole() {
    if [ -e "$figures/$1.svg" ]; then
        [ ! -e "$figures/$1.png" ] && tail -c 12 "$figures/$1.svg" | grep -q '</svg>'
    else
        [ "$(head -c 4 "$figures/$1.png" | tail -c 3)" = PNG ] && [ "$(wc -c <"$figures/$1.png")" -gt 4000 ] &&
            tail -c 12 "$figures/$1.png" | grep -q IEND
    fi
}

# without_gnuplot: makes the folder $work/bin with all needed tools except gnuplot.
without_gnuplot() {
    local tool
    mkdir "$work/bin"
    for tool in bash sh env dirname mktemp rm cat cc ld as; do
        ln -s "$(command -v $tool)" "$work/bin/$tool"
    done
    ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$work/bin/python3"
}
