#!/bin/bash
# One chart, or one family of charts: whole, and it says what it should.
# usage: chart.sh FOLDER NAME, a folder made by charts.sh
. "$(dirname "$0")/plots.sh"
need_gnuplot
figures=$1/figures

case $2 in
progression)
    check "whole" whole progression
    for text in 'Made-Up GPU 9000, 2001-02-03, made up' registers4x4_evict_first '4114 GB/s   96 % of copy' \
        'copy ceiling 4296 GB/s' 'theoretical peak 4814 GB/s' failed; do
        check "says: $text" has "$figures/progression.svg" "$text"
    done
    ;;
variants)
    check "whole" whole variants
    check "says what was skipped" has "$figures/variants.svg" skipped
    ;;
sizes)
    check "whole" whole sizes
    check "does not begin at 128" lacks "$figures/sizes.svg" '> 128<'
    check "begins at the smallest size" has "$figures/sizes.svg" '> 256<'
    check "marks L2" has "$figures/sizes.svg" 'both matrices fit in L2 (63 MB)'
    ;;
counts) check "whole" whole counts ;;
lanes)
    for step in $("$plots/columns.sh" "$data/full/lanes.tsv" step | uniq); do
        check "lanes_$step" whole "lanes_$step"
        [ ${step%%_*} -lt 6 ] || check "groups_$step" whole "groups_$step"
    done
    ;;
bank_map)
    check "the orders of tiles" whole tile_orders
    for map in plain padded swizzle_5_0_5 guide; do check "bank_map_$map" whole "bank_map_$map"; done
    # What stands below their titles.
    maps=$root/plots/results/bank_maps
    tells() { awk -f "$plots/tsv.awk" -f "$plots/banks.awk" "$maps/$1.tsv" >"$work/out"; check "$1: $2" has "$work/out" "$2"; }
    tells plain 'a row: no conflict, a column: 32-way conflict'
    tells padded 'a row: no conflict, a column: no conflict'
    tells guide_plain 'a row: no conflict, a column: 8-way conflict'
    tells guide_swizzle_128 'a row: no conflict, a column: no conflict'
    ;;
*) fail "no such chart: $2" ;;
esac
finish
