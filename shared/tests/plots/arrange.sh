#!/bin/bash
# What the charts are given: the figures between the results and gnuplot. usage: arrange.sh
. "$(dirname "$0")/plots.sh"

arrange() { awk -f "$plots/common.awk" -f "$plots/$1" "${@:3}" "$2" >"$work/arranged"; }
run awk -v best=1 -f "$plots/common.awk" -f "$plots/bars.awk" "$data/full/bandwidth.tsv"
check "best of a step" has "$work/out" "$(row 3 step 03_padding padded 1892.00 44.06 ok)"
check "best of many" has "$work/out" 'registers4x4_evict_first	4114.00'
check "a bar for each step and transposing peer" test "$(grep -vc '^#\|^y' "$work/out")" -eq 12
# Nine ceilings; the fifth by size, found another way.
median=$(awk -F '\t' '$2 == "ceiling" { print $8 }' "$data/full/bandwidth.tsv" | sort -n | sed -n 5p)
check "the ceiling is a median" has "$work/out" "# ceiling: $median"
run awk -f "$plots/common.awk" -f "$plots/bars.awk" "$data/turns/merged.tsv"
check "sorted, figureless last" test "$(awk -F '\t' '$2 == "step" { printf "%s", $4 }' "$work/out")" = adfbc
{ columns
  row 01_naive ceiling 256 256 ok 1 0 500 100 nan
  row 02_smem ceiling 256 256 ok 1 0 510.5 100 nan
  row 01_naive a 1024 1024 ok 1 0 90 9 nan
  row 01_naive a 256 256 ok 1 0 100 20 nan
  row 01_naive b 256 256 ok 1 0 120 24 nan
  row 01_naive b 1024 1024 skipped nan nan nan nan nan
  row 01_naive b 1000 256 ok 1 0 999 99 nan; } >"$work/sizes.tsv"
run awk -f "$plots/common.awk" -f "$plots/sizes.awk" "$work/sizes.tsv"
printf '%s\t%s\n' "copy ceiling" gb_per_s 256 505.25 >"$work/want"
printf '\n\n' >>"$work/want"
printf '%s\t%s\n' 01_naive gb_per_s 256 120 1024 90 >>"$work/want"
check "the best at each square size" cmp "$work/out" "$work/want"
{ row step variant rows cols counter requests work ideal_work
  row 02_smem a 64 64 global_load 10 320 40
  row 02_smem a 64 64 global_store 0 0 0
  row 02_smem a 64 64 shared_load 10 160 20
  row 02_smem a 64 64 async_copy_shared 5 20 20
  row 02_smem a 64 64 tma_store 1 64 64; } >"$work/counts.tsv"
run awk -f "$plots/common.awk" -f "$plots/counts.awk" "$work/counts.tsv"
check "sectors per request, degree, cp.async, TMA" has "$work/out" \
    "$(row 1 variant 02_smem a 32 4 warp nan nan tma 8 1 warp 1 1 async)"

piles() { # WORD-FORMULA WORDS-PER-LANE: the title of the panel for a warp that does this
    awk -v n="$2" "BEGIN { OFS = \"\t\"; print \"step\", \"variant\", \"counter\", \"lane\", \"bank\", \"word\"
        for (l = 0; l < 32; l++) for (k = 0; k < n; k++) {
            w = ($1) + k; print \"s\", \"v\", \"shared_load\", l, w % 32, w } }" >"$work/lanes.tsv"
    awk -v step=s -f "$plots/lanes.awk" "$work/lanes.tsv" | awk -F '\t' '$1 == "title" { print $4 }' >"$work/out"
}
piles '32 * l' 1; check "a column: one pile" has "$work/out" 'a pile 32 high where 1 would do'
piles '33 * l' 1; check "a padded column: flat" has "$work/out" '1 high, as low as can be'
piles '7' 1; check "a broadcast: one word" has "$work/out" '1 high, as low as can be'
piles 'int(l / 2)' 1; check "halves of words: flat" has "$work/out" '1 high, as low as can be'
piles '4 * l' 4; check "16 bytes a lane in a row: four parts" has "$work/out" '4 high, as low as can be'
# Flat over the whole warp, but within each quarter only two groups of banks are met.
piles '4 * (int(l / 4) + 8 * (l % 4))' 4
check "16 bytes a lane, a conflict within each quarter" has "$work/out" 'a pile 16 high where 4 would do'
finish
