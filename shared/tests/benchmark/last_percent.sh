#!/bin/bash
# How close to the speed of a copy, at seven shapes: every variant of the two last steps and every
# peer, the programs taking turns. A benchmark: it prints figures and fails on none of them.
#
# usage: last_percent.sh [--turns N] [OUT.tsv]
#
# Prints each variant as a percentage of the copy ceiling of its own process, the median over turns;
# OUT.tsv gets the rows of all shapes, as a bandwidth file. To record it, name it last_percent.tsv in
# the folder of a run that plots/record.sh is to record. Exit status: 0; 1 a program failed; 2 wrong
# usage; 3 no device.
set -u
unset CDPATH
cd "$(dirname "$0")/../../.." || exit 2
turns=3
if [ "${1:-}" = --turns ]; then
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { echo "last_percent.sh: --turns takes a number" >&2; exit 2; }
    turns=$2
    shift 2
fi
[ $# -le 1 ] || { echo "usage: last_percent.sh [--turns N] [OUT.tsv]" >&2; exit 2; }
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no CUDA device"; exit 3; }

shapes=(4096x4096 8192x8192 16384x16384 32768x32768 65536x16384 16384x65536 30016x30016)
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
programs=()
for step in steps/06_*/*.cu steps/07_*/*.cu; do
    make -s -C "${step%/*}" || exit 1
    programs+=("${step%.cu}")
done
if nvcc -O3 -std=c++17 -arch=native -Ishared shared/peers/cublas_geam.cu -o "$parts/cublas_geam" \
    -lcublas 2>/dev/null; then
    programs+=("$parts/cublas_geam")
fi
! python3 -c 'import torch' 2>/dev/null || programs+=(shared/peers/torch_transpose.py)

failed=0
for turn in $(seq "$turns"); do
    for shape in "${shapes[@]}"; do
        echo "turn $turn of $turns, $shape" >&2
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
merged=${1:-$parts/merged.tsv}
plots/merge.sh --command "last_percent.sh --turns $turns" "$merged" "$parts"/*x*.tsv || exit 1

plots/percent_table.sh "$merged" --all
exit $failed
