#!/bin/bash
# Takes the hardware's own counts of every variant of one step with Nsight Compute.
#
# usage: count.sh PROGRAM ROWS COLS OUT.csv
#
# OUT.csv is ncu's list of metrics, one row for each kernel and metric, without the columns that
# only name this machine, after lines `# key: value` of provenance; `# variants` are those that ran,
# in order. The kernels of the harness are among the rows: counts.sh knows the order in which the
# harness runs them. Exit status: 0; 1 ncu or the program failed; 2 wrong usage; 3 no ncu, or no
# leave to read the counters.
set -u
[ $# -eq 4 ] || { echo "usage: count.sh PROGRAM ROWS COLS OUT.csv" >&2; exit 2; }

command -v ncu >/dev/null || {
    echo "ncu is missing: it is Nsight Compute, a part of the CUDA toolkit" >&2
    exit 3
}

wavefronts=smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op
sectors=smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op
metrics=$(
    for op in global_ld global_st shared_ld shared_st ldgsts; do
        echo "smsp__sass_inst_executed_op_$op.sum"
    done
    for op in ld st ldgsts_cache_access ldgsts_cache_bypass; do echo "${sectors}_$op.sum"; done
    for op in ld st ldgsts; do echo "${wavefronts}_$op.sum"; done
)

# The clocks do not change what is counted, so they are left alone.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
ncu --csv --print-units base --clock-control none --metrics "$(echo "$metrics" | paste -sd,)" \
    "$1" --rows "$2" --cols "$3" --verify-only >"$log" 2>&1
status=$?
if grep -q ERR_NVGPUCTRPERM "$log"; then
    echo "ncu may not read the counters: https://developer.nvidia.com/ERR_NVGPUCTRPERM" >&2
    exit 3
fi
if [ $status -ne 0 ]; then
    tail -5 "$log" >&2
    exit 1
fi

provenance() {
    echo "# gpu: $(sed -n 's/.* floats on \(.*\) (compute capability.*/\1/p' "$log")"
    echo "# ncu: $(ncu --version | sed -n 's/^Version //p')"
    echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "# step: $(sed -n 's/: [0-9]* x [0-9]* floats on .*//p' "$log")"
    echo "# rows: $2"
    echo "# cols: $3"
    echo "# variants: $(awk 'table && $2 == "ok" {printf "%s%s", n++ ? " " : "", $1}
                             /^variant .*status/ {table = 1}' "$log")"
}

# Keep ID, kernel name, block, grid, metric name and value; find them by the header row.
{ provenance "$@" && awk '
    function split_csv(line,    n, field, c, i, quoted) {
        n = 1; field = ""; quoted = 0
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (c == "\"") quoted = !quoted
            else if (c == "," && !quoted) { fields[n++] = field; field = "" }
            else field = field c
        }
        fields[n] = field
        return n
    }
    /^"/ {
        n = split_csv($0)
        if (!seen++) {
            for (i = 1; i <= n; i++) at[fields[i]] = i
            print "ID,Kernel Name,Block Size,Grid Size,Metric Name,Metric Value"
            next
        }
        value = fields[at["Metric Value"]]
        gsub(/,/, "", value)
        name = fields[at["Kernel Name"]]
        sub(/\(.*/, "", name)
        printf "%s,\"%s\",\"%s\",\"%s\",%s,%s\n", fields[at["ID"]], name, \
            fields[at["Block Size"]], fields[at["Grid Size"]], fields[at["Metric Name"]], value
    }' "$log"; } >"$4.part" && mv "$4.part" "$4"
