#!/bin/bash
# Records one kind of metrics of every variant of every step, with Nsight Compute.
#
# usage: metrics.sh dram|caches|stalls [--size N] OUT.tsv [PROGRAM...]
#
# Runs each PROGRAM (default: builds and runs all steps that use one GPU) once at N x N, verifying only, and
# counts each variant's launch. OUT.tsv has lines `# key: value` of provenance, then a table. A value is nan if
# this GPU lacks the metric, or if the variant is a copy without a kernel. L2 is not flushed: it holds the
# poison that the harness writes before each launch.
#
#   dram    bytes read and written, and the cycles in which a DRAM channel read or wrote, as the mean over
#           channels: columns `step variant rows cols` and one per metric. N is 32768 by default
#   caches  sectors loaded, loaded sectors that hit L1, requests and sectors that reached L2: the same columns
#   stalls  how many cycles a warp spends per instruction that it issues, and on what it waits meanwhile: a
#           column for each reason. A variant of several kernels has nan. N is 8192 by default
#
# Exit status: 0; 1 ncu or a program failed; 2 wrong usage; 3 no ncu, or no permission to read the counters.
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
. "$here/ncu.sh"

wrong_usage() {
    echo "usage: metrics.sh dram|caches|stalls [--size N] OUT.tsv [PROGRAM...]" >&2
    exit 2
}
kind=${1:-}
size=32768
case $kind in
dram) metrics=dram__bytes_read.sum,dram__bytes_write.sum,dram__cycles_active_read.avg,dram__cycles_active_write.avg ;;
caches)
    loads=l1tex__t_sectors_pipe_lsu_mem_global_op_ld
    metrics=$loads.sum,${loads}_lookup_hit.sum
    for operation in read write; do
        metrics+=,lts__t_requests_srcunit_tex_op_$operation.sum,lts__t_sectors_srcunit_tex_op_$operation.sum
    done
    ;;
stalls)
    size=8192
    metrics=$("$here/ncu.py" stall-metrics) || exit 1
    ;;
*) wrong_usage ;;
esac
shift
if [ "${1:-}" = --size ]; then
    [[ ${2:-} =~ ^[1-9][0-9]{0,9}$ ]] || wrong_usage
    size=$2
    shift 2
fi
case ${1:-} in '' | -*) wrong_usage ;; esac
out=$1
shift
need_ncu

known=$(ncu --query-metrics 2>/dev/null | cut -d ' ' -f 1)
present=()
for metric in ${metrics//,/ }; do
    # If ncu cannot list its metrics, request all of them.
    if [ -z "$known" ] || grep -qxF "${metric%.*}" <<<"$known"; then
        present+=("$metric")
    else
        echo "this GPU has no counter $metric" >&2
    fi
done
[ ${#present[@]} -gt 0 ] || { echo "this GPU has none of the counters" >&2; exit 1; }

work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
if [ $# -eq 0 ]; then
    programs=$(step_programs) || exit 1
else
    programs=$(printf '%s\n' "$@")
fi
number=100
while read -r program; do
    number=$((number + 1))
    echo "$kind of $(basename "$program")" >&2
    take_counters "$program" "$size" "$size" "$(IFS=,; echo "${present[*]}")" "$work/$number.csv"
done <<<"$programs"
"$here/ncu.py" "$kind" "$metrics" "metrics.sh $kind --size $size" "$work"/*.csv >"$work/out" || exit 1
cp "$work/out" "$out.part" && mv "$out.part" "$out"
