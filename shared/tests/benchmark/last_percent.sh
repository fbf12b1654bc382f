#!/bin/bash
# Measures every variant of steps 06 and 07 and every peer at seven shapes, in percent of the copy ceiling.
# A benchmark: no result counts as a failure.
#
# usage: last_percent.sh [--turns N] [OUT.tsv]
#
# Runs all programs N times (default: 3), in alternation. Prints the median of each variant's percentages of
# the copy ceiling of its own process. OUT.tsv is a bandwidth file with the rows of all shapes;
# plots/record.sh records it as last_percent.tsv. Exit status: 0; 1 a program failed; 2 wrong usage; 3 no
# device.
. "$(dirname "$0")/common.sh"
turns=3
if [ "${1:-}" = --turns ]; then
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { echo "last_percent.sh: --turns needs a number of at least 1" >&2; exit 2; }
    turns=$2
    shift 2
fi
[ $# -le 1 ] || { echo "usage: last_percent.sh [--turns N] [OUT.tsv]" >&2; exit 2; }
out=$(from_caller "${1:-}")
need_device

shapes=(4096x4096 8192x8192 16384x16384 32768x32768 65536x16384 16384x65536 30016x30016)
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
programs=()
for folder in steps/06_* steps/07_*; do
    make -s -C "$folder" || exit 1
    programs+=("$(program_of "$folder")")
done
! build_peer cublas_geam cublas "$parts/cublas_geam" || programs+=("$parts/cublas_geam")
! has_torch || programs+=(shared/peers/torch_transpose.py)

failed=0
for turn in $(seq "$turns"); do
    for shape in "${shapes[@]}"; do
        echo "run $turn of $turns, $shape" >&2
        for program in "${programs[@]}"; do
            "$program" --rows "${shape%x*}" --cols "${shape#*x}" \
                --tsv "$parts/$turn.$shape.$(basename "$program").tsv" >"$parts/log" 2>&1
            case $? in
            0) ;;
            3) echo "$shape: $(tail -1 "$parts/log")" >&2 ;;
            *)
                cat "$parts/log" >&2
                failed=1
                ;;
            esac
        done
    done
done
merged=${out:-$parts/merged.tsv}
plots/merge.sh --command "last_percent.sh --turns $turns" "$merged" "$parts"/*x*.tsv || exit 1

plots/percent_table.sh "$merged" --all
exit $failed
