# Functions that read the hardware's counters with ncu, for the scripts of this folder. Sourced, not run.
# shellcheck shell=bash

unset CDPATH
profile=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# need_ncu: ends the script with status 3 if Nsight Compute is not installed.
need_ncu() {
    command -v ncu >/dev/null && return
    echo "ncu is missing: install Nsight Compute, a part of the CUDA toolkit" >&2
    exit 3
}

# take_counters PROGRAM ROWS COLS METRIC,METRIC... OUT.csv: runs a step's program once, verifying only, and
# writes OUT.csv: lines `# key: value` of provenance, then ncu's CSV with one row per kernel and metric,
# without columns about this machine. `# variants` lists the variants that ran, in order. On failure prints
# the error and ends the script: 1 ncu or the program failed, 3 no permission to read the counters.
take_counters() {
    local program=$1 rows=$2 cols=$3 metrics=$4 out=$5 scratch status
    scratch=$(mktemp -d) || exit 1
    # ncu must change neither clocks nor caches: the counts do not depend on clocks, and caches must be as
    # in any run.
    ncu --csv --print-units base --clock-control none --cache-control none --metrics "$metrics" \
        --log-file "$scratch/list" "$program" --rows "$rows" --cols "$cols" --verify-only \
        --tsv "$scratch/rows.tsv" </dev/null >"$scratch/printed" 2>&1
    status=$?
    if grep -q ERR_NVGPUCTRPERM "$scratch/list" "$scratch/printed" 2>/dev/null; then
        echo "ncu has no permission to read the counters: https://developer.nvidia.com/ERR_NVGPUCTRPERM" >&2
        rm -r "$scratch"
        exit 3
    fi
    if [ $status -ne 0 ] || ! [ -s "$scratch/rows.tsv" ] || ! grep -q '^"' "$scratch/list"; then
        grep -h '==ERROR==' "$scratch/list" >&2
        tail -n 5 "$scratch/printed" >&2
        echo "$program: no counters at $rows x $cols" >&2
        rm -r "$scratch"
        exit 1
    fi
    {
        sed -n 's/^# gpu: /&/p' "$scratch/rows.tsv"
        echo "# ncu: $(ncu --version | sed -n 's/^Version //p')"
        echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
        "$profile/ncu.py" list "$scratch/rows.tsv" "$scratch/list" "$rows" "$cols"
    } >"$out.part" && mv "$out.part" "$out" || exit 1
    rm -r "$scratch"
}

# step_programs: builds every step that uses one GPU and prints the path of its program, one per line, in
# reading order. ncu would serialise the kernels of several GPUs, which may wait for each other.
step_programs() {
    local folder name
    for folder in "$profile"/../../steps/[0-9][0-9]_*; do
        if [ -L "$folder" ] || [ ! -f "$folder/Makefile" ]; then continue; fi
        if grep -q '"harness/many.h"' "$folder"/*.cu 2>/dev/null; then continue; fi
        make -s -C "$folder" >&2 || exit 1
        name=$(sed -n 's/^PROGRAM *:*= *//p' "$folder/Makefile")
        echo "$(cd "$folder" && pwd)/$name"
    done
}
