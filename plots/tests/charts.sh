#!/bin/bash
# plots/draw.sh draws all charts of a run and nothing else; each chart is complete and has its texts.
# usage: charts.sh FOLDER; makes FOLDER with a run and its charts, for whole.sh
. "$(dirname "$0")/plots.sh"
need_gnuplot

rm -rf "$1"
mkdir -p "$1"
cp "$data"/full/*.tsv "$1"
made_lanes >"$1/lanes.tsv"
{ grep '^#' "$data/full/bandwidth.tsv" | grep -v headline
    printf '%s\t' step variant rows cols status time_ms iqr_ms gb_per_s percent_of_copy percent_of_peak && echo gpus
    for case in 64,2 128,2 64,4; do
        for variant in graph ceiling; do
            printf '09_m\t%s\t%s\t%s\tok\t1\t0\t380\t90\t80\t%s\n' $variant "${case%,*}" "${case%,*}" "${case#*,}"
        done
    done; } >"$1/many.tsv"
run "$plots/draw.sh" "$1" --note "made up"
check "exit status" test $status -eq 0
check "no warning" test ! -s "$work/err"
check "prints the folder of the charts" has "$work/out" "$1/figures"
figures=$1/figures
expected=(progression sizes shapes many_{variants,sizes,gpus} counts lanes_02_smem lanes_07_tma groups_07_tma tile_orders windows
    bank_map_{plain,padded,swizzle_5_0_5,guide} sectors_{rows,column})
while read -r step; do expected+=("variants_$step"); done < <("$plots/columns.sh" "$1/bandwidth.tsv" step | sort -u)
for name in "${expected[@]}"; do check "$name" whole "$name"; done
check "nothing else" test "$(find "$figures" -type f | wc -l)" -eq ${#expected[@]}

# shows CHART TEXT...: checks that the chart contains each TEXT.
shows() {
    local chart=$1 text
    shift
    for text in "$@"; do check "$chart says: $text" has "$figures/$chart.svg" "$text"; done
}
shows progression 'Made-Up GPU 9000, 2001-02-03, made up' registers4x4_evict_first '4114 GB/s   96 % of copy' \
    'copy ceiling 4296 GB/s' 'theoretical peak 4814 GB/s' failed 'headline variant' 'peer: a library'
shows variants_07_tma skipped 'solid line: copy ceiling 4296 GB/s; dashed: theoretical peak 4814 GB/s'
shows sizes '> 256<' 'both matrices fit in L2 (63 MB)' "fastest variant"
check "sizes does not begin at 128" lacks "$figures/sizes.svg" '> 128<'
shows shapes 'elements of 2 bytes' '1024 of 1024 × 1024' '98.3' 'Made-Up GPU 9000' "percent of cudaMemcpy's speed<"
shows many_variants '64 x 64 floats on 2 GPUs' 'solid line: copy ceiling 380 GB/s; dashed: theoretical peak 4814 GB/s'
shows many_sizes 'N, of an N x N matrix of floats' 'rate of the links 4814 GB/s'
shows many_gpus '64 x 64 floats' 'number of GPUs'

# The verdicts of the bank maps, and the titles of the requests.
"$plots/draw.sh" "$1" --sums >"$work/sums"
check "a checksum of each" test "$(wc -l <"$work/sums")" -eq $((${#expected[@]} + 1))
python3 -B - "$plots" >"$work/out" <<'END'
import sys, tempfile
sys.path.insert(0, sys.argv[1])
import charts_memory, draw
with tempfile.TemporaryDirectory() as work:
    drawing = draw.Drawing({"dir": work, "out": None, "note": None, "only": None, "sums": True}, work)
    draw.build_layout(drawing)
    for name in draw.TILES:
        print(name, draw.bank_map(drawing, name)[1])
    for row in charts_memory.sectors({name: draw.pattern(drawing, name) for name in draw.PATTERNS}):
        print(row[-1])
END
for text in 'plain a row: no conflict, a column: 32-way conflict' 'padded a row: no conflict, a column: no conflict' \
    'guide_plain a row: no conflict, a column: 8-way conflict' 'guide_swizzle_128 a row: no conflict, a column: no conflict' \
    '4 bytes per lane, side by side: 4 sectors, 128 of 128 bytes' '16 bytes per lane, side by side: 16 sectors' \
    'one element past the start of a line: 5 sectors, 128 of 160' 'a line of its own: 32 sectors, 128 of 1024'; do
    check "says: $text" has "$work/out" "$text"
done
finish
