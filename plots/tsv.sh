# What every script here needs to know about TSV files. Sourced, not run; the script that sources
# it has set `here` to this folder.
# shellcheck shell=bash disable=SC2034,SC2154

export LC_ALL=C # decimal points, whatever the user's language

bandwidth_columns="step variant rows cols status time_ms iqr_ms gb_per_s percent_of_copy percent_of_peak"
bandwidth_later="element_bytes batches percent_of_memcpy" # older files lack these: 4, 1, unknown
counts_columns="step variant rows cols counter requests work ideal_work"
counts_later="element_bytes batches" # only where they are not 4 and 1
lanes_columns="step variant counter lane bank word wavefront part ideal_work"
map_columns="row col index bank"
sectors_columns="pattern lane line word"
timeline_columns="kernel block warp bytes begin loaded passed end"
in_flight_columns="kernel threads bytes_per_thread latency_ns in_flight_kb gb_per_s"
dram_columns="step variant rows cols counter value"
halves_columns="contender rows cols time_ms iqr_ms gb_per_s"
halves_counts_columns="contender rows cols counter value"
exercises_columns="exercise rows cols task task_ms task_percent_of_copy solution solution_ms solution_percent_of_copy"

# complain TEXT: one line on standard error, with the name of the script that is running.
complain() { printf '%s: %s\n' "${0##*/}" "$1" >&2; }

# check_tsv FILE COLUMNS [OPTIONAL]: succeeds if FILE is well formed, else says in one line why not.
# Columns may stand in any order, and others may stand between them.
check_tsv() {
    if [ ! -f "$1" ] || [ ! -r "$1" ]; then
        complain "$1: cannot be read"
        return 2
    fi
    awk -v columns="$2" -v optional="${3:-}" -v name="${0##*/}: $1" \
        -f "$here/common.awk" -f "$here/check.awk" "$1"
}

# check_bandwidth FILE: the same, of a bandwidth file.
check_bandwidth() { check_tsv "$1" "$bandwidth_columns" "$bandwidth_later"; }

# read_tsv SCRIPT.awk [-v NAME=VALUE]... FILE...: runs the script of this folder with columns by name
# and the functions of common.awk.
read_tsv() {
    local script=$1
    shift
    awk -f "$here/tsv.awk" -f "$here/common.awk" -f "$here/$script" "$@"
}

# check_known_tsv FILE: the same, with the columns that a file of this name must have.
check_known_tsv() {
    case ${1##*/} in
    bandwidth.tsv | sizes.tsv | shapes.tsv | last_percent.tsv) check_bandwidth "$1" ;;
    counts.tsv) check_tsv "$1" "$counts_columns" "$counts_later" ;;
    dram.tsv | caches.tsv) check_tsv "$1" "$dram_columns" ;;
    lanes.tsv) check_tsv "$1" "$lanes_columns" ;;
    timeline.tsv) check_tsv "$1" "$timeline_columns" ;;
    halves.tsv) check_tsv "$1" "$halves_columns" ;;
    halves_counts.tsv) check_tsv "$1" "$halves_counts_columns" ;;
    exercises.tsv) check_tsv "$1" "$exercises_columns" ;;
    in_flight.tsv) check_tsv "$1" "$in_flight_columns" ;;
    *) return 0 ;;
    esac
}

# header FILE KEY: the value of the line `# KEY: value`, or nothing.
header() {
    awk -v key="# $2: " '!/^#/ { exit }
        index($0, key) == 1 { print substr($0, length(key) + 1); exit }' "$1"
}

# recorded_gpus RESULTS SHOWN: the folders that hold a bandwidth.tsv, the shown one first.
recorded_gpus() {
    local file folder
    for file in "$1"/*/bandwidth.tsv; do
        [ -f "$file" ] || continue
        folder=$(basename "$(dirname "$file")")
        if [ "$folder" = "$2" ]; then echo "0 $folder"; else echo "1 $folder"; fi
    done | sort | cut -d ' ' -f 2
}
