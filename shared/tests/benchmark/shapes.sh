#!/bin/bash
# Any shape and element: every variant of step 08 beside step 06's rule and every peer, the programs in turn for each
# shape. A benchmark: it prints figures and fails on none of them.
#
# usage: shapes.sh [--turns N] [--part K/N] [--only WORD] [--shape "BYTES BATCHES ROWS COLS"]...
#                  [--ours] [--rounds R] [--seconds S] [OUT.tsv]
#
#   --turns N    so many times round (default 1); a figure is the median over turns
#   --part K/N   every N-th shape from the K-th on
#   --only WORD  shapes whose description contains WORD, such as "2 B" or "30001x30001"
#   --shape ...  this shape instead of the list; may be given several times
#   --ours       without the peers
#   --rounds R   samples of each contender in a turn (default 9)
#   --seconds S  begin no shape when so many seconds have passed since the start
#
# PyTorch compiles and tunes for each shape. That is done first, for all shapes, by several processes
# that take turns on the GPU, while nvcc builds the programs; then nothing else runs beside what is
# measured. Each program measures its own ceiling; PyTorch is one process for all shapes, which waits
# while the others run.
#
# Prints, for each shape, every contender in percent of cudaMemcpy in its own process. OUT.tsv, a bandwidth
# file, is written anew after every shape, so that a run that is ended early leaves what it has. A peer that
# fails is a row `failed`, and the rest goes on. Exit status: 0; 1 a program of ours failed, or nothing was
# measured; 2 wrong usage; 3 no device.
set -u
unset CDPATH
usage() {
    sed -n 's/^# \{0,1\}//; /^usage:/,/OUT.tsv\]/p' "$0" >&2
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
case $out in '' | /*) ;; *) out=$PWD/$out ;; esac
if [ -n "$out" ] && { [ -d "$out" ] || [ ! -w "${out%/*}" ]; }; then
    echo "shapes.sh: $out: cannot be written" >&2
    exit 2
fi
cd "$(dirname "$0")/../../.." || exit 2
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no CUDA device" >&2; exit 3; }
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader 2>/dev/null | head -n 1)

# BYTES BATCHES ROWS COLS
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
mapfile -t shapes < <(awk -v part="$part" -v parts="$parts" -v only="$only" '
    index(sprintf("%d B %d x (%dx%d)", $1, $2, $3, $4), only) && n++ % parts == part - 1' <<<"$all_shapes")
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

# ---- what is to be run ----

# problem BYTES BATCHES ROWS COLS: as options.
problem() { echo "--rows $3 --cols $4 --element-bytes $1 --batches $2 --rounds $rounds"; }

# is_small BYTES BATCHES ROWS COLS: a matrix of floats that is done quickly: by every step from 04 on.
is_small() { [ "$1 $2" = "4 1" ] && [ $(($3 * $4)) -le $((2048 * 2048)) ]; }

torch=no tuning=''
if [ $ours = no ]; then
    if python3 -c 'import torch' 2>/dev/null; then
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

program_of() { sed -n 's/^PROGRAM *:= *//p' "$1/Makefile"; }
any=$(echo steps/08_*) rule=$(echo steps/06_*)
builds=()
folders=("$any" "$rule")
if [ $ours = no ]; then folders+=(steps/04_*_* steps/05_* steps/07_*); fi
for folder in "${folders[@]}"; do
    make -s -C "$folder" >&2 &
    builds+=("$folder=$!")
done
if [ $ours = no ]; then
    nvcc -O3 -std=c++17 -arch=native -Ishared shared/peers/cublas_geam.cu -o "$work/cublas_geam" \
        -lcublas >"$work/geam_log" 2>&1 &
    geam=$!
    nvcc -O3 -std=c++17 -arch=native -Ishared shared/peers/cutensor_permute.cu \
        -o "$work/cutensor_permute" -lcutensor >"$work/cutensor_log" 2>&1 &
    cutensor=$!
    wait $geam || say "cuBLAS is not installed: skipped"
    wait $cutensor || say "cuTENSOR is not installed: skipped"
fi
for build in "${builds[@]}"; do
    wait "${build##*=}" || { echo "${build%=*} does not build" >&2; exit 1; }
done
say "the programs are built"

# ---- running it ----

failed=0 number=0 first=''

# finished PROGRAM STATUS LOG VARIANT...: after a run; one that wrote no file gets rows that say so.
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

# measure PROGRAM STEP "VARIANT..." OPTION...: one program of ours, or one that behaves like it.
measure() {
    local program=$1 folder_name=$2 variants=$3
    shift 3
    number=$((number + 1))
    timeout 180 "$program" "$@" --tsv "$work/$number.tsv" >"$work/log" 2>&1
    # shellcheck disable=SC2086
    finished "${program##*/}" $? "$work/log" $variants
}

# serve: PyTorch's process, which reads problems from descriptor 8 and answers on 9.
serve() {
    rm -f "$work/in" "$work/answers"
    mkfifo "$work/in" "$work/answers"
    python3 shared/peers/torch_transpose.py --serve <"$work/in" >"$work/answers" 2>>"$work/torch_log" &
    server=$!
    exec 8>"$work/in" 9<"$work/answers"
}

# ask_torch OPTION...: the same for PyTorch. A process that died or says nothing for long is replaced.
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

# publish: all rows so far into OUT.tsv, whole or not at all.
publish() {
    [ -n "$out" ] || return 0
    printf '%s\n' "$work"/*.tsv | sort -V | xargs awk '
        /^# command:/ { if (NR == FNR) print "# command: shapes.sh"; next }
        /^#/ { if (NR == FNR) print; next }
        /^step\t/ { if (!header++) print; next }
        { print }' >"$out.$$" && mv -f "$out.$$" "$out"
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
        measure "$any/$(program_of "$any")" "${any##*/}" transpose "$@"
        # shellcheck disable=SC2086
        if [ $ours = no ] && is_small $shape; then
            for folder in "${folders[@]:1}"; do
                measure "$folder/$(program_of "$folder")" "${folder##*/}" all \
                    --rows "$rows" --cols "$cols" --rounds "$rounds"
            done
        elif [ "$bytes $batches $((rows % 4)) $((cols % 4))" = "4 1 0 0" ]; then
            measure "$rule/$(program_of "$rule")" "${rule##*/}" registers4x2_by_rule \
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
        say "turn $turn: $bytes B, $batches x ($rows x $cols):$(for n in $(seq $((begun + 1)) $number); do
            awk -F '\t' '($1 ~ /^08_/ && $2 == "transpose" || $1 == "peers" && $2 !~ /^(ceiling|torch_copy)$/) && $5 != "skipped" {
                printf "  %s %s", $2, $5 == "ok" ? sprintf("%.1f", $13) : $5
            }' "$work/$n.tsv"
        done)"
    done
done

[ $number -gt 0 ] || { echo "nothing was measured" >&2; exit 1; }
mapfile -t files < <(printf '%s\n' "$work"/*.tsv | sort -V)
plots/merge.sh --command "$command_line" "$work/all" "${files[@]}" || exit 1
[ -z "$out" ] || { cp "$work/all" "$out.$$" && mv -f "$out.$$" "$out"; } || exit 1

# The table: percent of cudaMemcpy; of the other steps the fastest variant.
awk -F '\t' '
    /^#/ { next }
    !started++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["variant"] !~ /^(ceiling|torch_copy)$/ && $at["status"] != "skipped" {
        shape = sprintf("%2d B %7d x (%d x %d)", $at["element_bytes"], $at["batches"], $at["rows"], $at["cols"])
        name = $at["variant"]
        if ($at["step"] ~ /^0[4-7]/) name = "best of 04 to 07"
        if (!(shape in seen)) { seen[shape]; shapes[++count] = shape }
        if (!(name in known)) { known[name]; names[++kinds] = name }
        value = $at["status"] == "ok" ? $at["percent_of_memcpy"] : "failed"
        if (!((shape, name) in figure) || value + 0 > figure[shape, name] + 0) figure[shape, name] = value
    }
    END {
        for (n = 1; n <= kinds; n++) printf "%2d = %s\n", n, names[n]
        printf "%-38s", "percent of cudaMemcpy"
        for (n = 1; n <= kinds; n++) printf " %6d", n
        print ""
        for (s = 1; s <= count; s++) {
            printf "%-38s", shapes[s]
            for (n = 1; n <= kinds; n++) {
                value = (shapes[s], names[n]) in figure ? figure[shapes[s], names[n]] : "-"
                printf " %6s", value ~ /^[0-9.]+$/ ? sprintf("%.1f", value) : value
            }
            print ""
        }
    }' "$work/all"
exit $failed
