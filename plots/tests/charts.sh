#!/bin/bash
# plots/draw.sh draws all charts of a run, and nothing else. usage: charts.sh FOLDER, which is made:
# the run, with its figures, for the tests of each chart
. "$(dirname "$0")/plots.sh"
need_gnuplot

rm -rf "$1"
mkdir -p "$1"
cp "$data"/full/*.tsv "$1"
run "$plots/draw.sh" "$1" --note "made up"
check "exit status" test $status -eq 0
check "no warning" test ! -s "$work/err"
check "says where they are" has "$work/out" "$1/figures"
for figure in "$1"/figures/*; do
    name=$(basename "$figure")
    case $name in
    progression.svg | variants.svg | sizes.svg | shapes.svg | counts.svg | timeline.svg | in_flight.svg | lanes_*.png | \
        groups_*.png | tile_orders.png | windows.png | bank_map_*.png | sectors_*.png) pass ;;
    *) fail "an unexpected file: $name" ;;
    esac
done
finish
