#!/bin/bash
# Tests plots/table.sh. usage: table.sh
. "$(dirname "$0")/plots.sh"

run "$plots/table.sh" "$data/turns/merged.tsv"
check "the ceiling row" has "$work/out" '| | copy ceiling | 1.100 | 800 | 100.0 | 75.0 | 0.2000 |'
check "the best in bold" has "$work/out" '| 01_naive | **a** | 9.000 | **90** | **12.9** | 9.0 | 0.3000 |'
check "not the second best" has "$work/out" '| 01_naive | d | 3.500 | 75 | 9.5 | 7.5 | 0.6000 |'
check "a failed row" has "$work/out" '| 01_naive | b | failed | - | - | - | - |'
check "another size is left out" lacks "$work/out" '02_smem'
check "provenance" has "$work/out" 'Made-Up GPU 9000, 64 x 64 floats, 2001-02-01; '
run "$plots/table.sh" "$data/turns/merged.tsv" 01_naive
check "a step in plain text" has "$work/out" 'a        ok           9.000       90       12.9'
run "$plots/table.sh" "$data/full/bandwidth.tsv"
check "peers come last" test "$(grep "^|" "$work/out" | tail -n 5 | grep -c "^| peers")" -eq 5
check "PyTorch's copy is not the best transpose" has "$work/out" '| peers | **cublas_geam** |'
run "$plots/table.sh" "$data/full/bandwidth.tsv" 09_none
check "a step that is not there" fails 1 "no rows of step 09_none"
finish
