#!/bin/bash
# Records the hardware's counts of every variant of one step, or of all steps, with Nsight Compute.
#
# usage: count.sh PROGRAM ROWS COLS OUT.csv
#        count.sh --all DIR
#
# take_counters in ncu.sh describes OUT.csv; counts.sh turns it into a counts file. --all builds every
# step and counts it at 1024 x 1024 and at 1000 x 1500. It writes DIR/raw/STEP_SIZE.csv and DIR/counts.tsv,
# which plots/record.sh reads. Exit status: 0; 1 ncu or a program failed; 2 wrong usage; 3 no ncu, or no
# permission to read the counters.
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
. "$here/ncu.sh"

wrong_usage() {
    echo "usage: count.sh PROGRAM ROWS COLS OUT.csv | count.sh --all DIR" >&2
    exit 2
}
metrics=$("$here/ncu.py" metrics) || exit 1

case $#:${1:-} in
2:--all)
    need_ncu
    mkdir -p "$2/raw" || exit 1
    programs=$(step_programs) || exit 1
    while read -r program; do
        for size in 1000x1500 1024x1024; do
            name=$(basename "$(dirname "$program")")_$size
            echo "counting $name" >&2
            take_counters "$program" "${size%x*}" "${size#*x}" "$metrics" "$2/raw/$name.csv"
        done
    done <<<"$programs"
    "$here/counts.sh" "$2"/raw/[0-9]*.csv >"$2/counts.part" && mv "$2/counts.part" "$2/counts.tsv" || exit 1
    ;;
4:-*) wrong_usage ;;
4:*)
    need_ncu
    take_counters "$1" "$2" "$3" "$metrics" "$4"
    ;;
*) wrong_usage ;;
esac
