#!/bin/bash
# Any shape and element: transpose() beside step 06's rule and every peer, the programs in turn for each
# shape. A benchmark: it prints figures and fails on none of them.
#
# usage: shapes.sh [--turns N] [--part K/N] [--only WORD] [--ours] [--rounds R] [OUT.tsv]
#
#   --turns N    so many times round (default 1); a figure is the median over turns
#   --part K/N   every N-th shape from the K-th on: all take some 12 minutes on an H200, mostly PyTorch's
#                compiler's; --part 1/3, 2/3 and 3/3 stay under 8 minutes each
#   --only WORD  shapes whose description contains WORD, such as "2 B" or "30001x30001"
#   --ours       without the peers; and every variant of step 08, not only transpose()
#   --rounds R   samples of each contender in a turn (default 9)
#
# Prints, for each shape, every contender in percent of cudaMemcpy in its own process. OUT.tsv gets the
# programs' rows, with the columns of a bandwidth file. Exit status: 0; 1 a program failed; 2 wrong usage;
# 3 no device.
set -u
unset CDPATH
usage() {
    echo "usage: shapes.sh [--turns N] [--part K/N] [--only WORD] [--ours] [--rounds R] [OUT.tsv]" >&2
    exit 2
}
turns=1 part=1 parts=1 only='' ours=no rounds=9
while [ $# -gt 0 ]; do
    case $1 in
    --turns) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage; turns=$2; shift 2 ;;
    --rounds) [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || usage; rounds=$2; shift 2 ;;
    --part)
        [[ ${2:-} =~ ^([1-9][0-9]*)/([1-9][0-9]*)$ ]] || usage
        part=${BASH_REMATCH[1]} parts=${BASH_REMATCH[2]}
        [ "$part" -le "$parts" ] || usage
        shift 2
        ;;
    --only) [ -n "${2:-}" ] || usage; only=$2; shift 2 ;;
    --ours) ours=yes; shift ;;
    -*) usage ;;
    *) [ $# -eq 1 ] || usage; break ;;
    esac
done
out=${1:-}
case $out in '' | /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/../../.." || exit 2
nvidia-smi -L 2>/dev/null | grep -q GPU || { echo "no CUDA device" >&2; exit 3; }

# BYTES BATCHES ROWS COLS
all_shapes="4 1 32767 32767
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
1 100000 33 31"
mapfile -t shapes < <(awk -v part="$part" -v parts="$parts" -v only="$only" '
    index(sprintf("%d B %d x (%dx%d)", $1, $2, $3, $4), only) && n++ % parts == part - 1' <<<"$all_shapes")
[ ${#shapes[@]} -gt 0 ] || { echo "shapes.sh: no shape has $only in its description" >&2; exit 2; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
programs=()
for folder in steps/08_* steps/06_*; do
    make -s -C "$folder" >&2 || exit 1
    programs+=("$folder/$(sed -n 's/^PROGRAM *:= *//p' "$folder/Makefile")")
done
if [ $ours = no ]; then
    nvcc -O3 -std=c++17 -arch=native -Ishared shared/peers/cublas_geam.cu -o "$work/cublas_geam" \
        -lcublas 2>/dev/null && programs+=("$work/cublas_geam")
    ! python3 -c 'import torch' 2>/dev/null || programs+=(shared/peers/torch_transpose.py)
fi

failed=0 number=0
for turn in $(seq "$turns"); do
    for shape in "${shapes[@]}"; do
        read -r bytes batches rows cols <<<"$shape"
        echo "turn $turn of $turns: $bytes B, $batches x ($rows x $cols)" >&2
        for program in "${programs[@]}"; do
            options=(--rows "$rows" --cols "$cols" --rounds "$rounds")
            problem=(--element-bytes "$bytes" --batches "$batches")
            case $program in
            */06_*)
                [ "$bytes $batches $((rows % 4)) $((cols % 4))" = "4 1 0 0" ] || continue
                options+=(--variant registers4x2_by_rule)
                ;;
            */08_*)
                options+=("${problem[@]}")
                [ $ours = yes ] || options+=(--variant transpose)
                ;;
            */cublas_geam)
                if [ "$bytes" -lt 4 ] || [ "$batches" -gt 5000 ]; then continue; fi
                options+=("${problem[@]}")
                ;;
            *) options+=("${problem[@]}") ;;
            esac
            number=$((number + 1))
            "$program" "${options[@]}" --tsv "$work/$number.tsv" >"$work/log" 2>&1
            case $? in
            0) ;;
            3) echo "$(basename "$program"): $(tail -n 1 "$work/log")" >&2 ;;
            *)
                tail -n 20 "$work/log" >&2
                failed=1
                ;;
            esac
        done
    done
done

# One file: the first's first lines, then all rows.
for file in "$work"/*.tsv; do [ -f "$file" ] || { echo "nothing was measured" >&2; exit 1; }; done
printf "%s\n" "$work"/*.tsv | sort -V | xargs awk '
    /^# command:/ { if (NR == FNR) print "# command: shapes.sh"; next }
    /^#/ { if (NR == FNR) print; next }
    /^step\t/ { if (!header++) print; next }
    { print }' >"$work/all" || exit 1
[ -z "$out" ] || cp "$work/all" "$out" || exit 1

awk -F '\t' '
    function median(text,    list, n, i, j, t) {
        n = split(text, list, " ")
        for (i = 2; i <= n; i++)
            for (j = i; j > 1 && list[j] + 0 < list[j - 1] + 0; j--) {
                t = list[j]; list[j] = list[j - 1]; list[j - 1] = t
            }
        return n % 2 ? list[(n + 1) / 2] + 0 : (list[n / 2] + list[n / 2 + 1]) / 2
    }
    /^#/ { next }
    !started++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["status"] == "ok" && $at["variant"] !~ /^(ceiling|torch_copy)$/ {
        shape = sprintf("%2d B %7d x (%d x %d)", $at["element_bytes"], $at["batches"], $at["rows"], $at["cols"])
        name = $at["variant"]
        if (!(shape in seen)) { seen[shape]; shapes[++count] = shape }
        if (!(name in known)) { known[name]; names[++kinds] = name }
        figure[shape, name] = figure[shape, name] " " $at["percent_of_memcpy"]
    }
    END {
        for (n = 1; n <= kinds; n++) printf "%2d = %s\n", n, names[n]
        printf "%-38s", "percent of cudaMemcpy"
        for (n = 1; n <= kinds; n++) printf " %6d", n
        print ""
        for (s = 1; s <= count; s++) {
            printf "%-38s", shapes[s]
            for (n = 1; n <= kinds; n++)
                if ((shapes[s], names[n]) in figure) printf " %6.1f", median(figure[shapes[s], names[n]])
                else printf " %6s", "-"
            print ""
        }
    }' "$work/all"
exit $failed
