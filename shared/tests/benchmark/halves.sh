#!/bin/bash
# Runs halves.cu: measures reads, writes, copies and transposes with several L2 policies at two sizes, and
# counts the traffic of DRAM and L2 in one launch of each. A benchmark: no result counts as a failure.
#
# usage: halves.sh DIR
#
# Writes DIR/halves.tsv (contender rows cols time_ms iqr_ms gb_per_s) and, if Nsight Compute has permission
# to read the counters, DIR/halves_counts.tsv (contender rows cols and a column per metric). Takes about a minute. Exit
# status: 0; 1 a program failed; 2 wrong usage; 3 no device.
. "$(dirname "$0")/common.sh"
case ${1:-} in '' | -*) echo "usage: halves.sh DIR" >&2; exit 2 ;; esac
dir=$(from_caller "$1")
need_device
mkdir -p "$dir" || exit 2
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
nvcc -O3 -std=c++17 -arch=native -Ishared shared/tests/benchmark/halves.cu -o "$work/halves" || exit 1

for size in 32768 30016; do
    "$work/halves" --rows $size --cols $size --tsv "$work/$size.tsv" || exit 1
done
{ cat "$work/32768.tsv" && sed 1,2d "$work/30016.tsv"; } >"$dir/halves.tsv" || exit 1

# Counts one launch of each contender. --kernel-name leaves out `clean` and the kernels that fill matrices.
metrics=dram__bytes_read.sum,dram__bytes_write.sum,dram__cycles_active_read.avg,dram__cycles_active_write.avg
metrics+=,dram__cycles_elapsed.avg,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum
metrics+=,lts__t_sectors_op_read_lookup_hit.sum,lts__t_sectors_srcunit_ltcfabric.sum,gpu__time_duration.sum
command -v ncu >/dev/null || { echo "no ncu here: no counts" >&2; exit 0; }
size=32768
lists=()
for metric in ${metrics//,/ }; do
    # One counter per run, because ncu replays a kernel for a second counter, with other lines in L2.
    list="$work/list.$metric"
    ncu --csv --print-units base --clock-control none --cache-control none --metrics "$metric" \
        --kernel-name 'regex:tiles|vectors' --log-file "$list" \
        "$work/halves" --rows $size --cols $size --count </dev/null >"$work/printed" 2>&1
    grep -E '^(read|write|copy|transpose)[a-z_]*$' "$work/printed" >"$work/names"
    if grep -q '^"[0-9]' "$list"; then
        lists+=("$list")
    else
        echo "ncu gave no $metric: $(grep -h '==' "$list" "$work/printed" | tail -n 1)" >&2
    fi
done
[ ${#lists[@]} -gt 0 ] || { echo "no counters could be read" >&2; exit 0; }
{
    head -n 1 "$dir/halves.tsv"
    shared/profile/ncu.py halves $size "$work/names" "${lists[@]}"
} >"$dir/halves_counts.tsv"
