#!/bin/bash
# Compares step 08's counts for problems that `count.sh --all` leaves out: elements of every size, narrow
# matrices, batches, pitches and offsets.
#
# usage: counts_other.sh take PROGRAM DIR         on a machine with a GPU and Nsight Compute
#        counts_other.sh compare CPU-PROGRAM DIR  anywhere: compares the CPU run's counts with DIR
#
# Exit status: 0; 1 a count differs, or a program failed; 2 wrong usage; 3 no ncu, or no permission to read counters.
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
profile=$here/../../profile
if [ $# -ne 3 ] || { [ "$1" != take ] && [ "$1" != compare ]; }; then
    echo "usage: counts_other.sh take PROGRAM DIR | counts_other.sh compare CPU-PROGRAM DIR" >&2
    exit 2
fi
program=$(readlink -f "$2") dir=$3
mkdir -p "$dir" || exit 1

# Prints the problems: ROWS COLS OPTION...
cases() {
    local bytes
    for bytes in 1 2 8 16; do
        echo "1003 777 --element-bytes $bytes"
        echo "1024 512 --element-bytes $bytes"
        echo "7 5 --element-bytes $bytes --batches 300"
        echo "3 10007 --element-bytes $bytes"
    done
    echo "7 5 --batches 300"
    echo "16 16 --element-bytes 1 --batches 300"
    echo "3 10007"
    echo "10007 3"
    echo "10007 16"
    echo "50 5000"
    echo "63 65 --offset 5 --in-pitch 77 --out-pitch 64"
}

failed=0
while read -r rows cols options; do
    name=${rows}x$cols${options// /}
    wrapper=$dir/$name.sh
    printf '#!/bin/sh\nexec "%s" %s "$@"\n' "$program" "$options" >"$wrapper" && chmod +x "$wrapper"
    if [ "$1" = take ]; then
        "$profile/count.sh" "$wrapper" "$rows" "$cols" "$dir/$name.csv" || exit
    else
        # Elements of 1 and 2 bytes are verified twice, so each variant has run twice.
        twice='&'
        case "$options" in *bytes\ [12] | *bytes\ [12]\ *) twice='& &' ;; esac
        sed "/^# variants: /{s///;s/[^ ]*/$twice/g;s/^/# variants: /}" "$dir/$name.csv" >"$dir/$name.named"
        "$profile/counts.sh" "$dir/$name.named" | awk '!seen[$0]++' >"$dir/$name.measured" || exit 1
        "$wrapper" --rows "$rows" --cols "$cols" --tsv "$dir/$name.predicted" >"$dir/$name.log" 2>&1 || {
            tail -n 5 "$dir/$name.log" >&2
            exit 1
        }
        # ncu does not know element size and batches, the last columns; take them from the options.
        cut -f -8 "$dir/$name.predicted" >"$dir/$name.counts"
        "$profile/compare.sh" "$dir/$name.counts" "$dir/$name.measured" >"$dir/$name.compared"
        status=$?
        echo "$name: $([ $status -eq 0 ] && echo equal || echo different, see "$dir/$name.compared")"
        [ $status -eq 0 ] || failed=1
    fi
    rm "$wrapper"
done < <(cases)
exit $failed
