#!/bin/bash
# Measures on a GPU how much faster each exercise's solution is than its task as handed out.
#
# usage: exercises.sh [--only WORD] [--seconds S] OUT.tsv
#
#   --only WORD   exercises whose name contains WORD
#   --seconds S   start no program later than S seconds after exercises.sh started
#
# Each program verifies itself and is then measured with a problem that fits in 1 GB: the largest square
# matrix, the longest narrow one, or many small ones (measured_size in shared/exercises/judge.h). Several
# programs verify themselves at a time; they are measured one by one, after all tasks are verified, since a
# task can hang. Exercises without a kernel of their own (predictions, layouts) are left out. Takes about 2
# minutes on an H200 with 16 processor cores.
#
# OUT.tsv: exercise rows cols task task_ms task_percent_of_copy solution solution_ms
# solution_percent_of_copy. Columns `task` and `solution` hold `ok` or why there is no time: `wrong` (wrong
# output or a CUDA error), `hangs` (for 10 seconds), `blank` (does not compile), `device` (this device cannot
# run it). Unknown numbers are nan. plots/record.sh records OUT.tsv as exercises.tsv; the exercises' checker
# shows its numbers to readers who have solved an exercise.
#
# Exit status: 0; 1 a solution failed; 2 wrong usage; 3 no device.
. "$(dirname "$0")/common.sh"
export LC_ALL=C
command_line="exercises.sh $*" only='' seconds=86400
usage() { sed -n 's/^# \{0,1\}//; /^usage:/p' "shared/tests/benchmark/${0##*/}" >&2; exit 2; }
while [ $# -gt 1 ]; do
    case $1 in
    --only) only=$2 ;;
    --seconds) [[ $2 =~ ^[1-9][0-9]*$ ]] || usage; seconds=$2 ;;
    *) usage ;;
    esac
    shift 2
done
command_line=${command_line% *} # without OUT.tsv
case ${1:-} in '' | -*) usage ;; esac
out=$(from_caller "$1")
if [ -d "$out" ] || [ ! -w "${out%/*}" ]; then
    echo "exercises.sh: $out: cannot be written" >&2
    exit 2
fi
root=$PWD
need_device
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
say() { echo "[$SECONDS s] $*" >&2; }

for folder in "$root"/steps/[0-9][0-9]_*/exercises/*"$only"*/; do
    if [ -L "${folder%/exercises/*}" ] || [ ! -f "${folder}solution.cu" ]; then continue; fi
    grep -qE '^// *(predict:|operation: layout)' "${folder}task.cu" || echo "$folder"
done >"$work/list"
[ -s "$work/list" ] || { echo "exercises.sh: no exercise has $only in its name" >&2; exit 2; }

# build FOLDER WHICH, run WHICH/NAME: xargs starts each call in its own shell.
build() {
    nvcc -O3 -std=c++17 -arch=native -w -I"$root/shared" "$1$2.cu" \
        -o "$work/$(basename "$1").$2" >"$work/$(basename "$1").$2.build" 2>&1
}
run() { # PROGRAM SECONDS
    local program=$work/$1
    [ "$(($(date +%s) - began))" -lt "$seconds" ] || return
    EXERCISE_TURN=$work/turn timeout "$2" "$program" >"$program.said" 2>&1
    echo $? >"$program.status"
}
export -f build run
began=$(date +%s)
export root work began seconds
while read -r folder; do printf '%s\0task\0%s\0solution\0' "$folder" "$folder"; done <"$work/list" |
    xargs -0 -n 2 -P "$(nproc)" bash -c 'build "$@"' build
say "$(find "$work" -type f -perm -100 | wc -l) programs are built"
programs() { find "$work" -type f -perm -100 -name "*.$1" -printf '%f\0' | sort -z; }
programs task | EXERCISE_VERIFY_ONLY=1 xargs -0 -I{} -P 4 bash -c 'run "$@"' run {} 10
say "the tasks are verified"
{
    while IFS= read -r -d '' program; do
        [ "$(cat "$work/$program.status" 2>/dev/null)" != 0 ] || printf '%s\0' "$program"
    done < <(programs task)
    programs solution
} >"$work/programs"
xargs -0 -I{} -P 4 bash -c 'run "$@"' run {} 60 <"$work/programs"
say "measured"

# result PROGRAM: prints three columns of OUT.tsv: ok or the reason, milliseconds, percent of the copy.
result() {
    local line word
    line=$(grep -E '^[0-9]+ x [0-9]+: .* ms, ' "$1.said" 2>/dev/null)
    case $(cat "$1.status" 2>/dev/null) in
    0) if [ -n "$line" ]; then word=ok; else word=late; fi ;;
    124) word=hangs ;;
    3) word=device ;;
    '') if [ -x "$1" ]; then word=late; else word=blank; fi ;;
    *) word=wrong ;;
    esac
    if [ $word = ok ]; then
        sed -E 's/^[0-9]+ x [0-9]+: ([0-9.]+) ms, .*, ([0-9.]+) % .*/ok\t\1\t\2/' <<<"$line"
    else
        printf '%s\tnan\tnan\n' $word
    fi
}
gpu() { nvidia-smi --query-gpu="$1" --format=csv,noheader | head -n 1; }
failed=0
{
    printf '# gpu: %s\n# compute capability: %s\n# driver: %s\n' "$(gpu name)" "$(gpu compute_cap)" "$(gpu driver_version)"
    printf '# date: %s\n# command: %s\n' "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$command_line"
    printf 'exercise\trows\tcols\ttask\ttask_ms\ttask_percent_of_copy\tsolution\tsolution_ms\tsolution_percent_of_copy\n'
    while read -r folder; do
        name=$(basename "$folder")
        size=$(sed -nE 's/^([0-9]+) x ([0-9]+): .* ms, .*/\1\t\2/p' "$work/$name.solution.said" 2>/dev/null)
        solution=$(result "$work/$name.solution")
        case $solution in ok* | device* | late*) ;; *) failed=1; tail -n 30 "$work/$name".solution.{build,said,status} >&2 ;; esac
        printf '%s\t%s\t%s\t%s\n' "$name" "${size:-$(printf "nan\tnan")}" "$(result "$work/$name.task")" "$solution"
    done <"$work/list"
} >"$work/out.tsv"
mv "$work/out.tsv" "$out" || exit 1
say "$(grep -c $'\tok\t.*\tok\t' "$out") of $(wc -l <"$work/list") with both times are in $out"
exit $failed
