#!/bin/bash
# Measures everything that plots/record.sh records for a GPU and writes it to DIR.
#
# usage: measure.sh DIR [PART...]
#
# Parts, in the order in which they run (default: all):
#   run           run_all.sh: bandwidth.tsv (three runs) and sizes.tsv            about 5 minutes
#   shapes        shapes.sh: shapes.tsv, any shape and element beside the peers  about 6 minutes
#   counts        shared/profile/count.sh: raw/ and counts.tsv                    about 1 minute
#   dram          shared/profile/metrics.sh: dram.tsv, and caches.tsv of step 01   about 2 minutes
#   stalls        shared/profile/metrics.sh: stalls.tsv                            about 1 minute
#   timeline      timeline.cu: timeline.tsv and in_flight.tsv                     about 10 seconds
#   halves        halves.sh: halves.tsv and halves_counts.tsv                       about 1 minute
#   exercises     exercises.sh: exercises.tsv, tasks beside their solutions        about 2 minutes
#   probes        shared/profile/probes.sh: probes.tsv, the launches that the recorded file lacks
#
# The times are for an H200. gnuplot is not needed. Afterwards run plots/record.sh DIR in the tree that is to
# record the results. To copy DIR there: tar -czf DIR.tar.gz --exclude parts --exclude figures DIR.
#
# Exit status: 0; 1 a part failed (the others were measured); 2 wrong usage; 3 no device.
set -u
unset CDPATH
caller=$PWD
cd "$(dirname "$0")/../../.." || exit 2

case ${1:-} in
'' | -*)
    echo "usage: measure.sh DIR [run] [shapes] [counts] [dram] [stalls] [timeline] [halves] [exercises] [probes]" >&2
    exit 2
    ;;
/*) dir=$1 ;;
*) dir=$caller/$1 ;;
esac
shift
[ $# -gt 0 ] || set -- run shapes counts dram stalls timeline halves exercises probes
for part in "$@"; do
    case $part in
    run | shapes | counts | dram | stalls | timeline | halves | exercises | probes) ;;
    *)
        echo "measure.sh: no part is called $part; the parts are: run, shapes, counts, dram, stalls, timeline, halves, exercises, probes" >&2
        exit 2
        ;;
    esac
done
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no CUDA device" >&2; exit 3; }
mkdir -p "$dir" || exit 2

# probes: counts the launches that this GPU's recorded file lacks.
probes() {
    local recorded gpu
    gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)
    for recorded in shared/traffic/tests/probes_*.tsv; do
        if [ ! -f "$dir/probes.tsv" ] && grep -qsxF "# gpu: $gpu" "$recorded"; then
            cp "$recorded" "$dir/probes.tsv"
        fi
    done
    shared/profile/probes.sh shared/cpucc/tests/counting.cu "$dir/probes.tsv"
}

# dram: counts the DRAM traffic of all steps, and the L1 and L2 traffic of step 01.
dram() {
    local makefile
    shared/profile/metrics.sh dram "$dir/dram.tsv" || return
    makefile=$(compgen -G 'steps/01*/Makefile') || return 0
    shared/profile/metrics.sh caches "$dir/caches.tsv" \
        "$(dirname "$makefile")/$(sed -n 's/^PROGRAM *:= *//p' "$makefile")"
}

# dated FILE...: adds the time to the heads of files in DIR whose program does not write it.
dated() {
    local file
    for file; do sed -i "1a # date: $(date -u +%Y-%m-%dT%H:%M:%SZ)" "$dir/$file" || return; done
}

timeline() {
    nvcc -O3 -std=c++17 -arch=native -Ishared shared/tests/benchmark/timeline.cu -o "$dir/timeline" &&
        "$dir/timeline" "$dir/timeline.tsv" "$dir/in_flight.tsv" && rm "$dir/timeline" &&
        dated timeline.tsv in_flight.tsv
}

halves() {
    shared/tests/benchmark/halves.sh "$dir" && dated halves.tsv &&
        { [ ! -f "$dir/halves_counts.tsv" ] || dated halves_counts.tsv; }
}

failed=0
for part in "$@"; do
    SECONDS=0
    case $part in
    run) ./run_all.sh --out "$dir" ;;
    shapes) shared/tests/benchmark/shapes.sh "$dir/shapes.tsv" ;;
    counts) shared/profile/count.sh --all "$dir" ;;
    dram) dram ;;
    stalls) shared/profile/metrics.sh stalls "$dir/stalls.tsv" ;;
    timeline) timeline ;;
    halves) halves ;;
    exercises) shared/tests/benchmark/exercises.sh "$dir/exercises.tsv" ;;
    probes) probes ;;
    esac
    status=$?
    echo "measure.sh: $part ended with $status after $SECONDS seconds" >&2
    [ $status -eq 0 ] || failed=1
done
exit $failed
