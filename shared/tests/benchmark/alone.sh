#!/bin/bash
# Does a variant's measured speed depend on the other variants in the run? A benchmark; takes three minutes.
#
# usage: alone.sh [--turns N] [OUT.tsv]
#
# For square matrices of 2048, 4096, 8192 and 32768 rows, alone.sh measures two variants of step 06 alone,
# then again beside every variant whose reads L2 keeps (evict_last lines stay in L2 after their kernel).
# Then it measures the ceiling of every program and peer, with one variant each. It does all this N times
# (default: 3), PyTorch's ceiling only the first time. It prints the medians and their difference in percent
# beside the target: 1 % at 2048 and 4096, 0.7 % at 8192 and 32768, 1.5 % between the ceilings of all
# programs. A missed target is marked but is no failure. OUT.tsv gets the columns `subject size alone beside
# difference_percent target_percent`; for ceilings, alone is the smallest and beside the largest. At 2048
# the ceilings of two processes differ by up to 8 %, even of one program, because the speed depends on
# where in L2 so small a matrix lies. Exit status: 0; 1 a program failed; 2 wrong usage; 3 no device.
. "$(dirname "$0")/common.sh"
usage() {
    echo "usage: alone.sh [--turns N] [OUT.tsv]" >&2
    exit 2
}
turns=3
if [ "${1:-}" = --turns ]; then
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage
    turns=$2
    shift 2
fi
[ $# -le 1 ] || usage
[[ ${1:-} != -* ]] || usage
out=$(from_caller "${1:-}")
need_device

subjects=(registers4x2 registers4x4)
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

# Builds all programs in parallel.
programs=() builds=()
for makefile in steps/[0-9][0-9]_*/Makefile; do
    folder=${makefile%/*}
    [ ! -L "$folder" ] || continue
    make -s -C "$folder" >&2 &
    builds+=($!)
    programs+=("$(program_of "$folder")")
    case $folder in */06_*) subject_program=${programs[-1]} ;; esac
done
! build_peer cublas_geam cublas "$parts/cublas_geam" || programs+=("$parts/cublas_geam")
for build in "${builds[@]}"; do wait "$build" || exit 1; done
! has_torch || programs+=(shared/peers/torch_transpose.py)

chosen=()
for variant in "${subjects[@]}"; do chosen+=(--variant "$variant"); done
beside=()
while read -r variant; do beside+=(--variant "$variant"); done < <(
    "$subject_program" --list | grep -E 'keep|two_fronts|by_rule')
[ ${#beside[@]} -gt 0 ] || { echo "$subject_program has no variant that keeps its reads" >&2; exit 1; }

# measure RUN SIZE PROGRAM ARGUMENT...: adds lines `RUN SIZE VARIANT GB/S` to $parts/figures.
measure() {
    local run=$1 size=$2 status
    shift 2
    "$@" --size "$size" --tsv "$parts/run.tsv" >"$parts/log" 2>&1
    status=$?
    if [ $status -eq 3 ]; then
        echo "$size: $(tail -n 1 "$parts/log")" >&2
        return
    elif [ $status -ne 0 ]; then
        cat "$parts/log" >&2
        exit 1
    fi
    plots/columns.sh "$parts/run.tsv" status variant gb_per_s | sed -n "s|^ok\t|$run\t$size\t|p" >>"$parts/figures"
}

for turn in $(seq "$turns"); do
    for size in 2048 4096 8192 32768; do
        echo "run $turn of $turns, $size" >&2
        measure alone "$size" "$subject_program" "${chosen[@]}"
        measure beside "$size" "$subject_program" "${chosen[@]}" "${beside[@]}"
        for program in "${programs[@]}"; do
            case $program in
            *.py)
                [ "$turn" -gt 1 ] ||
                    measure "program:$program" "$size" "$program" --variant torch_contiguous
                ;;
            *) measure "program:$program" "$size" "$program" --variant "$("$program" --list | tail -n 1)" ;;
            esac
        done
    done
done
shared/tests/benchmark/alone.py "$parts/figures" "$out" "${subjects[@]}" ceiling
