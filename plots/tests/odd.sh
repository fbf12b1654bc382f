#!/bin/bash
# plots/draw.sh draws unusual inputs without warnings. usage: odd.sh
. "$(dirname "$0")/plots.sh"
need_gnuplot

odd() { # NAME [CHART...]: checks that draw.sh draws $work/odd without output on stderr; then empties $work/odd
    local name=$1 chart
    shift
    run "$plots/draw.sh" "$work/odd"
    figures=$work/odd/figures
    check "$name" test "$status" -eq 0 -a ! -s "$work/err"
    for chart in "$@"; do check "$name: $chart" whole "$chart"; done
    rm -rf "$work/odd"
    mkdir "$work/odd"
}
mkdir "$work/odd"
odd "an empty folder" bank_map_plain bank_map_guide
{ columns; row 01_naive a 1 1 ok 0.002 0 0.004 nan nan; } >"$work/odd/bandwidth.tsv"
cp "$work/odd/bandwidth.tsv" "$work/odd/sizes.tsv"
odd "a single row, no headers, no ceiling" progression variants_01_naive sizes
{ echo "# theoretical peak GB/s: unknown"; echo "# l2 bytes: 0"; columns; row 07_tma a 8 8 skipped nan nan nan nan nan; row 07_tma b 8 8 failed nan nan nan nan nan; } >"$work/odd/bandwidth.tsv"
cp "$work/odd/bandwidth.tsv" "$work/odd/sizes.tsv"
odd "nothing that ran" progression variants_07_tma
{ columns; row 01_naive ceiling 8 8 ok 0 0 0 0 0; row peers cublas_geam 8 8 ok 0 0 0 0 0; } >"$work/odd/bandwidth.tsv"
cp "$work/odd/bandwidth.tsv" "$work/odd/sizes.tsv"
odd "zeros, peers alone" progression variants_peers sizes
{ row step variant rows cols counter requests work ideal_work; row 02_smem a 1 1 global_load 0 0 0; } >"$work/odd/counts.tsv"
{ row step variant counter lane bank word wavefront part ideal_work; row 02_smem a shared_load 0 0 0 0 0 1; } >"$work/odd/lanes.tsv"
odd "one count of nothing, one lane" counts lanes_02_smem
cp "$data"/full/*.tsv "$work/odd"
sed -i '/^0[1356]_/d' "$work"/odd/*.tsv
odd "steps that are missing" progression variants_02_smem sizes counts
finish
