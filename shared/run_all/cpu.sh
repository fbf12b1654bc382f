# Sourced by run_all.sh: runs every step on the CPU and counts its memory traffic.
# shellcheck shell=bash disable=SC2154

# check_room: ends with status 3 if two matrices of $size x $size floats do not fit in memory.
check_room() {
    local free
    cat >"$out/parts/room.cu" <<'END'
int main(void)
{
    size_t free_bytes, total;
    cudaMemGetInfo(&free_bytes, &total);
    printf("%zu\n", free_bytes);
}
END
    echo "building cpucc, the compiler for the CPU: half a minute the first time"
    run shared/cpucc/cpucc "$out/parts/room.cu" -o "$out/parts/room" ||
        stop 1 "cpucc cannot compile here; ./run_all.sh --install installs what it needs"
    run "$out/parts/room" >"$out/parts/room.txt" || stop 3 "too little memory to run on the CPU"
    free=$(cat "$out/parts/room.txt")
    [ $((size * size)) -gt $((free / 8)) ] || return 0
    stop 3 "two matrices of $size x $size floats take $(gigabytes $((size * size)) 125000) GB, but only\
 $(gigabytes "$free" 1000000) GB can be used (on the CPU each byte takes 9 bytes of memory): use a smaller --size"
}

# gigabytes NUMBER THOUSANDTH: prints NUMBER / (1000 * THOUSANDTH) with three decimals.
gigabytes() { printf '%d.%03d' $((($1 + $2 / 2) / $2 / 1000)) $((($1 + $2 / 2) / $2 % 1000)); }

# build_for_cpu STEP: builds the step's program as "$out/parts/STEP.cpu"; compiler output goes to STEP.log.
build_for_cpu() {
    shared/cpucc/cpucc -Ishared "steps/$1/$(program_of "$1").cu" -o "$out/parts/$1.cpu" \
        >"$out/parts/$1.log" 2>&1
}

build_all_for_cpu() {
    local step running=0 number=0
    for step in "${steps[@]}"; do
        number=$((number + 1))
        echo "building $step ($number of ${#steps[@]})"
        build_for_cpu "$step" &
        running=$((running + 1))
        [ $running -lt "$(nproc)" ] || { wait -n; running=$((running - 1)); }
    done
    wait
}

# run_on_cpu: runs all steps; writes their counts to counts.tsv and the lanes of their first warps to lanes.tsv.
run_on_cpu() {
    local step number=0 files=()
    size=${size:-256}
    check_room
    echo "$why: running every step on the CPU, at $size x $size"
    run build_all_for_cpu
    export CPUCC_LANES_FILE=$out/parts/lanes.tsv # to which the programs append
    for step in "${steps[@]}"; do
        number=$((number + 1))
        if [ -x "$out/parts/$step.cpu" ]; then
            run_program "$step ($number of ${#steps[@]})" "$out/parts/$step.tsv" \
                "$out/parts/$step.cpu" --size "$size"
        else
            echo
            echo "== $step: FAILED, it does not compile"
            cat "$out/parts/$step.log"
            failures=$((failures + 1))
        fi
        [ ! -f "$out/parts/$step.tsv" ] || files+=("$out/parts/$step.tsv")
    done
    if [ "$failures" -gt 0 ]; then
        echo "$out/counts.tsv and lanes.tsv are left as they were; what ran is in $out/parts"
        return
    elif [ ${#files[@]} -eq 0 ]; then
        echo "no program wrote results: $out/counts.tsv and lanes.tsv are left as they were"
        return
    fi
    if ! merge_counts "${files[@]}" >"$out/parts/counts.tsv" ||
        ! cp "$out/parts/counts.tsv" "$out/parts/results/" || ! copy_lanes ||
        ! publish counts.tsv ${lanes:+"$lanes"}; then
        failures=$((failures + 1))
        echo "$out/counts.tsv and lanes.tsv could not be written and are left as they were"
        return
    fi
    measured=$((measured + 1))
    ! has_python || plots/tables.py counts "$out/counts.tsv"
}

lanes=
copy_lanes() {
    [ -f "$out/parts/lanes.tsv" ] || return 0
    lanes=lanes.tsv
    cp "$out/parts/lanes.tsv" "$out/parts/results/"
}

# merge_counts FILE...: prints the counts files as one file; fails if their columns differ or a write fails.
merge_counts() {
    local file columns
    columns=$(grep -m 1 -v '^#' "$1")
    printf '# gpu: no GPU, counted on the CPU\n# date: %s\n# command: %s\n' \
        "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$command_line" &&
        { grep -h '^# headline ' "$@" || [ $? -eq 1 ]; } && printf '%s\n' "$columns" || return 1
    for file in "$@"; do
        if [ "$(grep -m 1 -v '^#' "$file")" != "$columns" ]; then
            echo "$file: its columns differ from those of $1" >&2
            return 1
        fi
        grep -v '^#' "$file" | tail -n +2 || return 1
    done
}
