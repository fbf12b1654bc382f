#!/bin/bash
# Measures every variant of step 08, step 06's variant by rule, and every peer at many shapes and element
# sizes. A benchmark: no result counts as a failure.
#
# usage: shapes.sh [--turns N] [--part K/N] [--only WORD] [--shape "BYTES BATCHES ROWS COLS"]...
#                  [--ours] [--rounds R] [--seconds S] [OUT.tsv]
#
#   --turns N    measure every shape N times (default 1) and take medians
#   --part K/N   only every N-th shape, starting with the K-th
#   --only WORD  only shapes whose description contains WORD, such as "2 B" or "30001x30001"
#   --shape ...  measure this shape instead of the list; can be given several times
#   --ours       do not measure the peers
#   --rounds R   samples per contender and run (default 9)
#   --seconds S  start no shape later than S seconds after shapes.sh started
#
# First several PyTorch processes compile and tune for each shape while nvcc builds the programs. Then the
# programs run one at a time, in alternation for each shape, each with its own ceiling. PyTorch is one
# process for all shapes, which waits while other programs run.
#
# Prints per shape every contender in percent of cudaMemcpy in its own process. Writes OUT.tsv, a bandwidth
# file, after every shape, so an interrupted run keeps its results. A peer that fails gets a row with status
# `failed`. Exit status: 0; 1 a program other than a peer failed, or nothing was measured; 2 wrong usage; 3 no
# device.
. "$(dirname "$0")/common.sh"
usage() {
    sed -n 's/^# \{0,1\}//; /^usage:/,/OUT.tsv\]/p' "shared/tests/benchmark/${0##*/}" >&2
    exit 2
}
command_line="shapes.sh $*"
turns=1 part=1 parts=1 only='' ours=no rounds=9 seconds=86400 all_shapes=''
while [ $# -gt 0 ]; do
    case $1 in
    --turns) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage; turns=$2; shift 2 ;;
    --rounds) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage; rounds=$2; shift 2 ;;
    --seconds) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage; seconds=$2; shift 2 ;;
    --part)
        [[ ${2:-} =~ ^([1-9][0-9]*)/([1-9][0-9]*)$ ]] || usage
        part=${BASH_REMATCH[1]} parts=${BASH_REMATCH[2]}
        [ "$part" -le "$parts" ] || usage
        shift 2
        ;;
    --only) [ -n "${2:-}" ] || usage; only=$2; shift 2 ;;
    --shape)
        [[ ${2:-} =~ ^(1|2|4|8|16)(\ [1-9][0-9]*){3}$ ]] || usage
        all_shapes+=${all_shapes:+$'\n'}$2
        shift 2
        ;;
    --ours) ours=yes; shift ;;
    -*) usage ;;
    *) [ $# -eq 1 ] || usage; break ;;
    esac
done
out=${1:-}
[ -z "$out" ] || command_line=${command_line% *} # the results do not name a folder
out=$(from_caller "$out")
if [ -n "$out" ] && { [ -d "$out" ] || [ ! -w "${out%/*}" ]; }; then
    echo "shapes.sh: $out: cannot be written" >&2
    exit 2
fi
need_device
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)

# Columns: BYTES BATCHES ROWS COLS
: "${all_shapes:=4 1 32767 32767
4 1 30001 30001
4 1 32770 32770
4 1 10007 40009
4 1 40009 10007
4 1 12345 23457
4 1 65003 13001
4 1 3 100000000
4 1 100000000 3
4 1 5 50000000
4 1 50000000 5
4 1 16 16777216
4 1 16777216 16
4 1 64 4000000
4 1 4000000 64
4 1 50 5000000
4 1 256 256
4 1 512 512
4 1 1024 1024
4 1 2048 2048
4 1 1000 1000
4 1 1001 1001
4 1 30016 30016
4 1 32768 32768
4 1 24576 24576
4 1 40960 20480
2 1 46336 46336
2 1 46331 46331
2 1 8192 8192
1 1 65536 65536
1 1 60001 60001
8 1 23168 23168
8 1 23167 23167
16 1 16384 16384
16 1 15001 15001
2 1024 1024 1024
4 4096 512 256
2 65536 128 64
4 2000 701 503
4 1000000 7 5
2 100000 32 64
8 50000 32 32
4 1000 321 293
1 2000 777 471
1 100000 33 31}"
shapes=() found=0
while read -r bytes batches rows cols; do
    [[ "$bytes B $batches x (${rows}x$cols)" == *"$only"* ]] || continue
    [ $((found++ % parts)) -ne $((part - 1)) ] || shapes+=("$bytes $batches $rows $cols")
done <<<"$all_shapes"
[ ${#shapes[@]} -gt 0 ] || { echo "shapes.sh: no shape has $only in its description" >&2; exit 2; }

work=$(mktemp -d)
server=''
ended() {
    [ -z "$server" ] || kill "$server" 2>/dev/null
    rm -rf "$work"
}
trap ended EXIT
trap 'exit 1' HUP INT TERM
trap '' PIPE # PyTorch's process may have died when it is asked
say() { echo "[$SECONDS s] $*" >&2; }

# ---- programs and problems ----

# problem BYTES BATCHES ROWS COLS: prints the options that select this problem.
problem() { echo "--rows $3 --cols $4 --element-bytes $1 --batches $2 --rounds $rounds"; }

# is_small BYTES BATCHES ROWS COLS: true for a matrix of floats small enough to measure all steps from 04 on.
is_small() { [ "$1 $2" = "4 1" ] && [ $(($3 * $4)) -le $((2048 * 2048)) ]; }

torch=no tuning=''
if [ $ours = no ]; then
    if has_torch; then
        torch=yes
        export TORCHINDUCTOR_CACHE_DIR=$work/inductor TRITON_CACHE_DIR=$work/triton
        for shape in "${shapes[@]}"; do
            # shellcheck disable=SC2086
            problem $shape
        done | python3 shared/peers/torch_transpose.py --prepare 8 >"$work/tuning" 2>&1 &
        tuning=$!
        say "PyTorch compiles and tunes"
    else
        say "PyTorch is not installed: skipped"
    fi
fi

any=$(echo steps/08_*) rule=$(echo steps/06_*)
builds=()
folders=("$any" "$rule")
if [ $ours = no ]; then folders+=(steps/04_*_* steps/05_* steps/07_*); fi
for folder in "${folders[@]}"; do
    make -s -C "$folder" >&2 &
    builds+=("$folder=$!")
done
if [ $ours = no ]; then
    build_peer cublas_geam cublas "$work/cublas_geam" &
    geam=$!
    build_peer cutensor_permute cutensor "$work/cutensor_permute" &
    cutensor=$!
    wait $geam || say "cuBLAS is not installed: skipped"
    wait $cutensor || say "cuTENSOR is not installed: skipped"
fi
for build in "${builds[@]}"; do
    wait "${build##*=}" || { echo "${build%=*} does not build" >&2; exit 1; }
done
say "the programs are built"

# ---- measuring ----

failed=0 number=0 first=''

# finished PROGRAM STATUS LOG VARIANT...: handles a program's end; if it wrote no file, writes rows `failed` or `skipped`.
finished() {
    local program=$1 status=$2 log=$3 word=failed variant row
    shift 3
    [ "$status" -eq 0 ] || tail -n 20 "$log" >&2
    [ "$status" -ne 3 ] || word=skipped
    case $program in cublas* | cutensor* | torch*) ;; *) [ "$status" -eq 0 ] || [ "$status" -eq 3 ] || failed=1 ;; esac
    if [ -f "$work/$number.tsv" ]; then
        : "${first:=$work/$number.tsv}"
        return
    fi
    {
        if [ -n "$first" ]; then sed '/^#/!q' "$first" | sed '/^# command/d; /^# headline/d; $d'; else echo "# gpu: $gpu"; fi
        printf 'step\tvariant\trows\tcols\tstatus\ttime_ms\tiqr_ms\tgb_per_s\tpercent_of_copy\tpercent_of_peak'
        printf '\telement_bytes\tbatches\tpercent_of_memcpy\n'
        row=$(printf '%s\t%s\t%s\tnan\tnan\tnan\tnan\tnan\t%s\t%s\tnan' "$rows" "$cols" $word "$bytes" "$batches")
        for variant in "$@"; do printf '%s\t%s\t%s\n' "$folder_name" "$variant" "$row"; done
    } >"$work/$number.tsv"
}

# measure PROGRAM STEP "VARIANT..." OPTION...: runs one program with the harness's options.
measure() {
    local program=$1 folder_name=$2 variants=$3
    shift 3
    number=$((number + 1))
    timeout 180 "$program" "$@" --tsv "$work/$number.tsv" >"$work/log" 2>&1
    # shellcheck disable=SC2086
    finished "${program##*/}" $? "$work/log" $variants
}

# serve: starts PyTorch's process, which reads problems from descriptor 8 and answers on descriptor 9.
serve() {
    rm -f "$work/in" "$work/answers"
    mkfifo "$work/in" "$work/answers"
    python3 shared/peers/torch_transpose.py --serve <"$work/in" >"$work/answers" 2>>"$work/torch_log" &
    server=$!
    exec 8>"$work/in" 9<"$work/answers"
}

# ask_torch OPTION...: measures with PyTorch's process; replaces the process if it died or does not answer.
ask_torch() {
    local folder_name=peers line status=1
    number=$((number + 1))
    [ -n "$server" ] || serve
    if echo "$* --tsv $work/$number.tsv" 2>/dev/null >&8; then
        while IFS= read -r -t 150 line <&9; do
            case $line in 'status '*) status=${line#status } && break ;; esac
        done
    fi
    if [ "${line%% *}" != status ]; then
        echo "PyTorch's process does not answer" >>"$work/torch_log"
        kill "$server" 2>/dev/null
        wait "$server" 2>/dev/null
        exec 8>&- 9<&-
        server=''
    fi
    finished torch "$status" "$work/torch_log" torch_contiguous torch_compiled torch_max_autotune
    : >"$work/torch_log"
}

# publish: writes all rows so far to OUT.tsv, atomically.
publish() {
    [ -n "$out" ] || return 0
    local files
    mapfile -t files < <(printf '%s\n' "$work"/*.tsv | sort -V)
    {
        sed 's/^# command:.*/# command: shapes.sh/; /^step\t/q' "${files[0]}"
        sed -s '1,/^step\t/d' "${files[@]}"
    } >"$out.$$" && mv -f "$out.$$" "$out"
}

if [ -n "$tuning" ]; then
    wait "$tuning" || say "PyTorch could not be tuned beforehand"
    cat "$work/tuning" >&2
    say "PyTorch is tuned"
    serve
fi
begun=0
for turn in $(seq "$turns"); do
    for shape in "${shapes[@]}"; do
        [ "$SECONDS" -lt "$seconds" ] || { say "no time for the rest"; break 2; }
        read -r bytes batches rows cols <<<"$shape"
        begun=$number
        # shellcheck disable=SC2046,SC2086
        set -- $(problem $shape)
        measure "$(program_of "$any")" "${any##*/}" transpose "$@"
        # shellcheck disable=SC2086
        if [ $ours = no ] && is_small $shape; then
            for folder in "${folders[@]:1}"; do
                measure "$(program_of "$folder")" "${folder##*/}" all \
                    --rows "$rows" --cols "$cols" --rounds "$rounds"
            done
        elif [ "$bytes $batches $((rows % 4)) $((cols % 4))" = "4 1 0 0" ]; then
            measure "$(program_of "$rule")" "${rule##*/}" registers4x2_by_rule \
                --rows "$rows" --cols "$cols" --rounds "$rounds" --variant registers4x2_by_rule
        fi
        if [ $ours = no ]; then
            if [ -x "$work/cublas_geam" ] && [ "$bytes" -ge 4 ] && [ "$batches" -le 5000 ]; then
                measure "$work/cublas_geam" peers cublas_geam "$@"
            fi
            [ ! -x "$work/cutensor_permute" ] || measure "$work/cutensor_permute" peers cutensor_permute "$@"
            [ $torch = no ] || ask_torch "$@"
        fi
        publish
        mapfile -t files < <(seq -f "$work/%g.tsv" $((begun + 1)) $number)
        say "run $turn: $bytes B, $batches x ($rows x $cols):$(shared/tests/benchmark/shapes.py --line "${files[@]}")"
    done
done

[ $number -gt 0 ] || { echo "nothing was measured" >&2; exit 1; }
mapfile -t files < <(printf '%s\n' "$work"/*.tsv | sort -V)
plots/merge.sh --command "$command_line" "$work/all" "${files[@]}" || exit 1
[ -z "$out" ] || { cp "$work/all" "$out.$$" && mv -f "$out.$$" "$out"; } || exit 1

shared/tests/benchmark/shapes.py "$work/all"
exit $failed
