#!/bin/bash
# What the charts are given: the figures between the results and gnuplot. usage: arrange.sh
. "$(dirname "$0")/plots.sh"

arrange() { # SCRIPT [-v NAME=VALUE]... FILE
    run awk -f "$plots/tsv.awk" -f "$plots/common.awk" -f "$plots/$1" "${@:2}"
}
arrange bars.awk -v progression=1 "$data/full/bandwidth.tsv"
check "without headlines the best of a step" has "$work/out" "$(row 3 step 03_padding padded 1892.00 44.06 ok)"
check "best of many" has "$work/out" 'registers4x4_evict_first	4114.00'
check "a bar for each step and transposing peer" test "$(grep -vc '^#\|^y' "$work/out")" -eq 12
# Nine ceilings; the fifth by size, found another way.
median=$("$plots/columns.sh" "$data/full/bandwidth.tsv" variant gb_per_s | sed -n 's/^ceiling\t//p' | sort -n | sed -n 5p)
check "the ceiling is a median" has "$work/out" "# ceiling: $median"
arrange bars.awk "$data/turns/merged.tsv"
"$plots/columns.sh" "$work/out" kind variant >"$work/rows"
check "sorted, figureless last" test "$(sed -n 's/^step\t//p' "$work/rows" | tr -d '\n')" = adfbc
{ echo "# headline 03_a: x compared with y"; echo "# headline 04_b: z compared with x"
  columns
  row 03_a x 8 8 ok 1 0 300 30 nan
  row 03_a y 8 8 ok 1 0 302 31 nan
  row 04_b z 8 8 ok 1 0 200 20 nan
  row 04_b w 8 8 ok 1 0 500 50 nan
  row 05_c v 8 8 ok 1 0 400 40 nan; } >"$work/headlines.tsv"
arrange bars.awk -v progression=1 "$work/headlines.tsv"
check "a headline, though another is as fast" has "$work/out" "03_a	x	300	30	ok		nan	nan"
check "a headline and the step's best" has "$work/out" "04_b	z	200	20	ok	w	500	50"
check "a step without a headline" has "$work/out" "05_c	v	400	40	ok		nan	nan"
{ echo "# headline 08_x: half compared with other"; columns | sed 's/$/\telement_bytes\tbatches/'
  row 08_x other 8 8 ok 1 0 100 10 nan 4 1; row 08_x half 8 8 ok 1 0 90 9 nan 2 1
  row 08_x many 8 8 ok 1 0 900 90 nan 4 3; } >"$work/elements.tsv"
arrange bars.awk -v progression=1 "$work/elements.tsv"
check "other problems are no step's best, and say what they are" has "$work/out" "08_x	half (2-byte elements)	90	9	ok	other	100	10"
sed 's/^04_b	z.*/04_b	z	8	8	failed	nan	nan	nan	nan	nan/' "$work/headlines.tsv" >"$work/failed.tsv"
arrange bars.awk -v progression=1 "$work/failed.tsv"
check "a headline that failed" has "$work/out" "04_b	z	nan	nan	failed	w	500	50"
sed 's/^04_b	z.*/04_b	z	8	8	skipped	nan	nan	nan	nan	nan/' "$work/headlines.tsv" >"$work/skipped.tsv"
arrange bars.awk -v progression=1 "$work/skipped.tsv"
check "a headline that was skipped" has "$work/out" "04_b	w	500	50	ok		nan	nan"
{ columns
  row 01_naive ceiling 256 256 ok 1 0 500 100 nan
  row 02_smem ceiling 256 256 ok 1 0 510.5 100 nan
  row 01_naive a 1024 1024 ok 1 0 90 9 nan
  row 01_naive a 256 256 ok 1 0 100 20 nan
  row 01_naive b 256 256 ok 1 0 120 24 nan
  row 01_naive b 1024 1024 skipped nan nan nan nan nan
  row 01_naive b 1000 256 ok 1 0 999 99 nan; } >"$work/sizes.tsv"
arrange sizes.awk "$work/sizes.tsv"
{ echo "# lines: 01_naive"; echo "# most: 505.25"; row size ceiling 01_naive
  row 256 505.25 120; row 1024 nan 90; } >"$work/want"
check "the best at each square size" cmp "$work/out" "$work/want"
{ columns | sed 's/$/\telement_bytes\tbatches\tpercent_of_memcpy/'
  row 08_x transpose 7 5 ok 1 0 900 95 nan 8 3 97.5; row 08_x ceiling 7 5 ok 1 0 900 100 nan 8 3 101
  row 08_x windows 7 5 ok 1 0 990 99 nan 8 3 99; row 06_c best 7 5 ok 1 0 900 90 nan 8 3 91.25
  row peers cublas_geam 7 5 ok 1 0 900 90 nan 8 3 60; row peers cublas_geam_complex 7 5 ok 1 0 900 90 nan 8 3 70
  row peers torch_copy 7 5 ok 1 0 900 90 nan 8 3 100; row peers torch_compiled 7 5 failed nan nan nan nan nan 8 3 nan
  row 08_x transpose 9 9 skipped nan nan nan nan nan 1 1 nan; row peers torch_contiguous 9 9 ok 1 0 1 1 1 1 1 14
} >"$work/shapes.tsv"
arrange shapes.awk "$work/shapes.tsv"
check "the largest figure" has "$work/out" "# most: 97.5"
check "smaller elements first" [ "$(cut -f 3 "$work/out" | tail -n +4 | tr '\n' ,)" = \
    "elements of 1 byte,9 × 9,elements of 8 bytes,3 of 7 × 5," ]
check "the rule, the best of before, the faster geam" has "$work/out" "	97.5	91.25	70	nan	nan	nan	nan	97.5	70.0"
check "what failed or was skipped" has "$work/out" "	9 × 9	nan	nan	nan	nan	14	nan	nan	-	14.0"
sed 's/91.25$/191.25/' "$work/shapes.tsv" >"$work/beyond.tsv"
arrange shapes.awk "$work/beyond.tsv"
check "a mark at the edge" has "$work/out" "	97.5	125	70	nan"
check "the axis ends there" has "$work/out" "# most: 125"
arrange shapes.awk -v markdown=1 "$work/shapes.tsv"
check "as a table" has "$work/out" "| 8 | 3 of 7 × 5 | **97.5** | 91.2 | 70.0 | - |"
{ row step variant rows cols counter requests work ideal_work
  row 02_smem a 64 64 global_load 10 320 40
  row 02_smem a 64 64 global_store 0 0 0
  row 02_smem a 64 64 shared_load 10 160 20
  row 02_smem a 64 64 async_copy_shared 5 20 20
  row 02_smem a 64 64 tma_store 1 64 64; } >"$work/counts.tsv"
arrange counts.awk "$work/counts.tsv"
check "sectors per request, degree, cp.async, TMA" has "$work/out" \
    "$(row 1 variant 02_smem a 32 4 warp nan nan tma 8 1 warp 1 1 async)"

# piles WAVEFRONT PART IDEAL: what is drawn of a warp whose lane l wants word 2 * l in that wavefront.
piles() {
    awk -v ideal="$3" "BEGIN { OFS = \"\t\"
        print \"step\", \"variant\", \"counter\", \"lane\", \"bank\", \"word\", \"wavefront\", \"part\", \"ideal_work\"
        for (l = 0; l < 32; l++) print \"s\", \"v\", \"shared_load\", l, 2 * l % 32, 2 * l, $1, $2, ideal }" >"$work/lanes.tsv"
    arrange lanes.awk -v step=s "$work/lanes.tsv"
    "$plots/columns.sh" "$work/out" kind x y text >"$work/boxes"
}
piles 'int(l / 16)' 0 1
check "a conflict" grep -q '^title.*shared_load: a pile 2 high where 1 would do' "$work/boxes"
check "a box for each word" test "$(grep -c '^word' "$work/boxes")" -eq 32
check "lane 16 stands on lane 0" test "$(sed -n 's/^word	0	\(.*\)	/\1 /p' "$work/boxes" | tr '\n' ,)" = '3.8 0,2.8 16,'
check "one part, no line" not grep -q '^part' "$work/boxes"
piles 'int(l / 16)' 'int(l / 16)' 2
check "two parts" grep -q '^title.*2 high, as low as can be' "$work/boxes"
check "a line between them" test "$(grep -c '^part' "$work/boxes")" -eq 1
sed -i 's/\t[0-9]*\t[0-9]*\t0\t0\t2$/\t7\t7\t0\t0\t2/' "$work/lanes.tsv"
arrange lanes.awk -v step=s "$work/lanes.tsv"
check "lanes that want one word have one box" test "$(grep -c '^word	7	' "$work/out")" -eq 1
finish
