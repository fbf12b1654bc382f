#!/bin/bash
# Takes the hardware's counts of a program of probes, such as shared/cpucc/tests/counting.cu, with
# Nsight Compute: one row for each launch.
#
# usage: probes.sh PROBES.cu COUNTS.tsv [LAUNCHES]
#
# The program prints a line for each launch: number, kernel, pattern, lanes; `--list` only prints
# them, and `FIRST LAST` chooses launches by number. Launches that COUNTS.tsv has already are not
# repeated, so an interrupted run goes on where it stopped. LAUNCHES (150) are profiled at a time;
# COUNTS.tsv is written whole after each time. Columns: kernel, pattern, lanes, then the counters of
# the project; nan is a counter that was not measured.
#
# Exit status: 0 every launch is counted; 1 some could not be; 2 wrong usage, or COUNTS.tsv is of
# another GPU; 3 no ncu, no nvcc, or no permission to read the counters.
set -u
if [ $# -lt 2 ] || [ $# -gt 3 ] || ! [[ ${3:-150} =~ ^[1-9][0-9]{0,5}$ ]] || [ ! -f "$1" ]; then
    echo "usage: probes.sh PROBES.cu COUNTS.tsv [LAUNCHES]" >&2
    exit 2
fi
source=$1 counts=$2 step=${3:-150}
for tool in ncu nvcc; do
    command -v $tool >/dev/null && continue
    echo "$tool is missing: it is part of the CUDA toolkit" >&2
    exit 3
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

columns="kernel pattern lanes"
for counter in global_load global_store shared_load shared_store; do
    columns="$columns ${counter}_requests ${counter}_work"
done
columns="$columns async_copy_global_requests async_copy_global_work async_copy_shared_work"

requests=smsp__sass_inst_executed_op
sectors=smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op
wavefronts=smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op
metrics=
for op in global_ld global_st shared_ld shared_st ldgsts; do metrics="$metrics,${requests}_$op.sum"; done
for op in ld st ldgsts_cache_access ldgsts_cache_bypass; do metrics="$metrics,${sectors}_$op.sum"; done
for op in ld st ldgsts; do metrics="$metrics,${wavefronts}_$op.sum"; done

nvcc -O3 -std=c++17 -arch=native -o "$work/probes" "$source" || exit 1
"$work/probes" --list >"$work/list" || exit 1
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1)

# The rows so far, of launches that the program still makes, without their header.
: >"$work/rows"
if [ -f "$counts" ]; then
    recorded=$(sed -n 's/^# gpu: //p' "$counts")
    if [ "$recorded" != "$gpu" ]; then
        echo "$counts has the counts of '$recorded', and this is '$gpu'" >&2
        exit 2
    fi
    awk -F'\t' -v columns="$columns" '
        FILENAME == ARGV[1] { made[$2 FS $3 FS $4] = 1; next }
        /^#/ { next }
        !heading++ { for (i = 1; i <= NF; i++) at[$i] = i; n = split(columns, name, " "); next }
        ($at["kernel"] FS $at["pattern"] FS $at["lanes"]) in made {
            for (i = 1; i <= n; i++)
                printf "%s%s", name[i] in at ? $at[name[i]] : "nan", i < n ? FS : "\n"
        }' "$work/list" "$counts" >"$work/rows" || exit 1
fi

# Writes COUNTS.tsv whole, in the order of the launches.
put() {
    {
        echo "# gpu: $gpu"
        echo "# ncu: $(ncu --version | sed -n 's/^Version //p')"
        echo "# date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
        echo "# program: $(basename "$source")"
        tr ' ' '\t' <<<"$columns"
        awk -F'\t' '
            FILENAME == ARGV[1] { row[$1 FS $2 FS $3] = $0; next }
            ($2 FS $3 FS $4) in row { print row[$2 FS $3 FS $4] }' "$work/rows" "$work/list"
    } >"$counts.part" && mv "$counts.part" "$counts"
}

# Launches that have no row yet, as ranges FIRST LAST of at most `step`.
awk -F'\t' -v step="$step" '
    FILENAME == ARGV[1] { row[$1 FS $2 FS $3] = 1; next }
    ($2 FS $3 FS $4) in row { next }
    !n || $1 != last + 1 || $1 - first >= step { if (n++) print first, last; first = $1 }
    { last = $1 }
    END { if (n) print first, last }' "$work/rows" "$work/list" >"$work/ranges"

status=0
while read -r first last; do
    begin=$SECONDS
    ncu --csv --print-units base --clock-control none --cache-control none \
        --metrics "${metrics#,}" --log-file "$work/ncu" \
        "$work/probes" "$first" "$last" >"$work/made" 2>"$work/err" </dev/null
    if grep -qs ERR_NVGPUCTRPERM "$work/ncu" "$work/err"; then
        echo "ncu may not read the counters: https://developer.nvidia.com/ERR_NVGPUCTRPERM" >&2
        exit 3
    fi
    # A launch counts only if all its metrics are there and its kernel is the one announced.
    awk -v requests="${requests}_" -v sectors="${sectors}_" -v wavefronts="${wavefronts}_" '
        function name(text) { gsub(/^void |[ (].*$/, "", text); sub(/<.*/, "", text); return text }
        FILENAME == ARGV[1] { split($0, f, "\t"); line[++lines] = f[2] "\t" f[3] "\t" f[4]; kernel[lines] = f[2]; next }
        !/^"/ { next }
        {
            n = split(substr($0, 2, length($0) - 2), f, "\",\"")
            if (!heading++) { for (i = 1; i <= n; i++) at[f[i]] = i; next }
            launch = f[at["ID"]] + 1
            value = f[at["Metric Value"]]
            gsub(/,/, "", value)
            metric = f[at["Metric Name"]]
            sub(/\.sum$/, "", metric)
            if (value !~ /^[0-9]+$/ || name(f[at["Kernel Name"]]) != name(kernel[launch])) next
            if (!((launch, metric) in v)) found[launch]++
            v[launch, metric] = value
        }
        function get(metric) { return v[l, metric] "\t" }
        END {
            for (l = 1; l <= lines; l++)
                if (found[l] == 12)
                    print line[l] "\t" get(requests "global_ld") get(sectors "ld") \
                        get(requests "global_st") get(sectors "st") \
                        get(requests "shared_ld") get(wavefronts "ld") \
                        get(requests "shared_st") get(wavefronts "st") get(requests "ldgsts") \
                        v[l, sectors "ldgsts_cache_access"] + v[l, sectors "ldgsts_cache_bypass"] \
                        "\t" v[l, wavefronts "ldgsts"]
        }' "$work/made" "$work/ncu" >"$work/new" 2>>"$work/err"
    cat "$work/new" >>"$work/rows"
    put || exit 1
    counted=$(wc -l <"$work/new")
    echo "launches $first to $last: $counted of $((last - first + 1)) counted, $((SECONDS - begin)) s"
    if [ "$counted" -lt $((last - first + 1)) ]; then
        status=1
        tail -n 3 "$work/err" >&2
        grep -s '==ERROR==\|==WARNING==' "$work/ncu" | tail -n 3 >&2
    fi
done <"$work/ranges"
[ -f "$counts" ] || put || exit 1
echo "$(grep -vc '^#\|^kernel' "$counts") of $(wc -l <"$work/list") launches have counts in $counts"
exit $status
