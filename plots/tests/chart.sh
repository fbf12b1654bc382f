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
shapes)
    check "whole" whole shapes
    for text in 'elements of 2 bytes' '1024 of 1024 × 1024' '98.3' 'Made-Up GPU 9000'; do
        check "says: $text" has "$figures/shapes.svg" "$text"
    done
    ;;
counts) check "whole" whole counts ;;
lanes)
    for step in $("$plots/columns.sh" "$data/full/lanes.tsv" step | uniq); do
        check "lanes_$step" whole "lanes_$step"
        [ "${step%%_*}" -lt 6 ] || check "groups_$step" whole "groups_$step"
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
sectors)
    for name in rows column; do check "sectors_$name" whole "sectors_$name"; done
    check "windows" whole windows
    # Of eight rows a tile cuts sectors in all but one, and windows in none.
    awk -v rows=1003 -v first=64 -v width=16 -f "$plots/windows.awk" >"$work/out"
    check "sectors in part" [ "$(grep -c '^part' "$work/out") $(grep -c '^whole' "$work/out")" = "14 25" ]
    # What stands above each request.
    awk -f "$plots/tsv.awk" -f "$plots/sectors.awk" -v 'patterns=row wide shifted column' \
        "$root/plots/results/bank_maps/sectors.tsv" >"$work/out"
    for text in '4 bytes a lane, side by side: 4 sectors, 128 of 128 bytes' '16 bytes a lane, side by side: 16 sectors' \
        'one element past the start of a line: 5 sectors, 128 of 160' 'a line of its own: 32 sectors, 128 of 1024'; do
        check "says: $text" has "$work/out" "$text"
    done
    ;;
timeline)
    check "timeline" whole timeline
    check "in_flight" whole in_flight
    check "says its kernel" has "$figures/timeline.svg" 'coarsen8: eight elements a thread'
    check "says its figures" has "$figures/in_flight.svg" '33.0 KB   3600 GB/s'
    # Two blocks that overlap have two places; what waits is what was sent and has not arrived.
    { printf 'kernel\tblock\twarp\tbytes\tbegin\tloaded\tpassed\tend\n'; row k 1 0 2000 -10 50 60 90; row k 2 1 3000 40 70 70 99; } \
        >"$work/two.tsv"
    awk -f "$plots/tsv.awk" -f "$plots/timeline.awk" -v kernels=k -v span=300 "$work/two.tsv" >"$work/out"
    check "two places" has "$work/out" "$(row panel 1 2 5 0)"
    check "the first block's loads" has "$work/out" "$(row load 1 0 0 50)"
    check "the second block's stores" has "$work/out" "$(row store 1 1 70 99)"
    check "in flight at 45" has "$work/out" "$(row flight 1 5 45 46)"
    check "in flight at 60" has "$work/out" "$(row flight 1 3 60 61)"
    ;;
*) fail "no such chart: $2" ;;
esac
finish
