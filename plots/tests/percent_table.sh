#!/bin/bash
# Tests plots/percent_table.sh. usage: percent_table.sh
. "$(dirname "$0")/plots.sh"

{
    columns
    row 06_x a 8 16 ok 1 0 10 91.26 nan
    row 06_x b 8 16 ok 1 0 10 91.34 nan
    row 06_x a 8 8 ok 1 0 10 50 nan
    row 06_x b 8 8 skipped nan nan nan nan nan
    row 06_x a 4 32 ok 1 0 10 3 nan
    row 06_x a 16 16 ok 1 0 10 7 nan
    row 06_x ceiling 8 8 ok 1 0 20 100 nan
    row peers ceiling 8 8 ok 1 0 22 100 nan
} >"$work/shapes.tsv"
run "$plots/percent_table.sh" "$work/shapes.tsv" b a c
check "the shapes by size" has "$work/out" '| % of copy | 8 x 8 | 4 x 32 | 8 x 16 | 16 x 16 |'
check "a row, the best in bold, equals alike" has "$work/out" "| \`a\` | **50.0** | **3.0** | **91.3** | **7.0** |"
check "skipped, and not measured" has "$work/out" "| \`b\` | skipped | - | **91.3** | - |"
check "a variant that is nowhere" has "$work/out" "| \`c\` | - | - | - | - |"
check "the ceiling, a median" has "$work/out" '| copy ceiling, GB/s | 21 | - | - | - |'
run "$plots/percent_table.sh" "$work/shapes.tsv" c
check "none of the variants" fails 1 "none of these variants"
run "$plots/percent_table.sh"
check "no file named" fails 2 "needs FILE.tsv"
finish
