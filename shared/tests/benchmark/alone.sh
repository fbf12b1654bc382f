#!/bin/bash
# Does a figure depend on what else runs? A benchmark for a machine with a GPU, three minutes long.
#
# usage: alone.sh [--turns N] [OUT.tsv]
#
# At 2048, 4096, 8192 and 32768 square, N times in alternation (3 by default): two variants of step
# 06 alone and with every variant beside them whose reads are kept in L2 (evict_last lines outlive
# their kernel); then every program and peer with one variant, for their ceilings (PyTorch's in the
# first turn only). Prints for each subject the medians over turns and how far apart they are in
# percent, beside the target: 1 % at 2048 and 4096, 0.7 % at 8192 and 32768, 1.5 % between the
# ceilings of all programs. OUT.tsv gets the same as columns `subject size alone beside
# difference_percent target_percent`, where for the ceilings of all programs alone is the least and
# beside the greatest. At 2048 they differ by up to 8 % from one process to the next, whatever the
# program: that small, a figure depends on where the matrices lie in L2. A missed target is marked, and
# is no failure. Exit status: 0; 1 a program failed; 2 wrong usage; 3 no device.
set -u
unset CDPATH
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
out=${1:-}
case $out in '' | /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/../../.." || exit 2
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no CUDA device" >&2; exit 3; }

sizes=(2048 4096 8192 32768)
subjects=(registers4x2 registers4x4)
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT

# Every program, built side by side where it is not built already.
programs=() builds=()
for makefile in steps/[0-9][0-9]_*/Makefile; do
    folder=${makefile%/*}
    [ ! -L "$folder" ] || continue
    make -s -C "$folder" >&2 &
    builds+=($!)
    programs+=("$folder/$(sed -n 's/^PROGRAM *:\{0,1\}= *//p' "$makefile")")
    case $folder in */06_*) subject_program=${programs[-1]} ;; esac
done
nvcc -O3 -std=c++17 -arch=native -Ishared shared/peers/cublas_geam.cu -o "$parts/cublas_geam" \
    -lcublas 2>"$parts/nvcc.log" && programs+=("$parts/cublas_geam")
for build in "${builds[@]}"; do wait "$build" || exit 1; done
! python3 -c 'import torch' 2>/dev/null || programs+=(shared/peers/torch_transpose.py)

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
    awk -F'\t' -v run="$run" -v size="$size" '
        /^#/ { next }
        !found { for (i = 1; i <= NF; i++) at[$i] = i; found = 1; next }
        $at["status"] == "ok" { print run, size, $at["variant"], $at["gb_per_s"] }
        ' "$parts/run.tsv" >>"$parts/figures"
}

for turn in $(seq "$turns"); do
    for size in "${sizes[@]}"; do
        echo "turn $turn of $turns, $size" >&2
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

awk -v subjects="${subjects[*]} ceiling" -v sizes="${sizes[*]}" -v out="$out" '
    function median(list, n,    i, j, t) {
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && list[j] + 0 < list[j - 1] + 0; j--) {
                t = list[j]
                list[j] = list[j - 1]
                list[j - 1] = t
            }
        return n % 2 ? list[(n + 1) / 2] + 0 : (list[n / 2] + list[n / 2 + 1]) / 2
    }
    function of(run, size, variant,    i, n, list) {
        n = count[run, size, variant] + 0
        for (i = 1; i <= n; i++) list[i] = figure[run, size, variant, i]
        return n ? median(list, n) : 0
    }
    function row(name, size, a, b, target,    apart) {
        if (!a || !b) return
        apart = 100 * (b > a ? b / a - 1 : a / b - 1)
        printf "%-22s %6d %10.1f %10.1f %9.2f %7.1f%s\n", name, size, a, b, apart, target,
            (apart > target ? "  missed" : "")
        if (out != "")
            printf "%s\t%d\t%.2f\t%.2f\t%.3f\t%.1f\n", name, size, a, b, apart, target >out
    }
    { figure[$1, $2, $3, ++count[$1, $2, $3]] = $4 }
    $1 ~ /^program:/ && !($1 in known) { known[$1]; program[++programs] = $1 }
    END {
        if (out != "")
            print "subject\tsize\talone\tbeside\tdifference_percent\ttarget_percent" >out
        printf "%-22s %6s %10s %10s %9s %7s\n", "GB/s", "size", "alone", "beside", "apart, %",
            "target"
        n = split(subjects, subject, " ")
        split(sizes, size, " ")
        for (s = 1; s in size; s++)
            for (v = 1; v <= n; v++)
                row(subject[v], size[s], of("alone", size[s], subject[v]),
                    of("beside", size[s], subject[v]), size[s] < 8192 ? 1 : 0.7)
        for (s = 1; s in size; s++) {
            least = most = 0
            for (p = 1; p <= programs; p++) {
                c = of(program[p], size[s], "ceiling")
                if (c && (!least || c < least)) { least = c; slow = program[p] }
                if (c > most) { most = c; fast = program[p] }
            }
            row("ceilings", size[s], least, most, 1.5)
            sub(/.*\//, "", slow)
            sub(/.*\//, "", fast)
            note = note sprintf("%d: least %s, greatest %s\n", size[s], slow, fast)
        }
        printf "ceilings of %d programs; %s", programs, note
    }' "$parts/figures"
