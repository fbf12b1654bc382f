#!/bin/bash
# Tests plots/draw.sh with wrong usage and without gnuplot. usage: usage.sh
. "$(dirname "$0")/plots.sh"

run "$plots/draw.sh"; check "no folder" fails 2 "which folder"
run "$plots/draw.sh" "$work/nowhere"; check "a missing folder" fails 2 "no such folder"
run "$plots/draw.sh" "$work" --size; check "an unknown option" fails 2 "unknown option --size"
run "$plots/draw.sh" "$work" --out; check "a missing value" fails 2 "--out needs a value"

without_gnuplot
mkdir "$work/run"
cp "$data"/full/*.tsv "$work/run"
before=$(print_of "$work/run")
PATH=$work/bin run "$plots/draw.sh" "$work/run"
check "gnuplot missing" fails 1 "apt-get install gnuplot-nox), then run: plots/draw.sh $work/run"
check "gnuplot missing: nothing lost, nothing made" test "$before" = "$(print_of "$work/run")"

# Without a compiler, draw.sh leaves the pictures that need one, and their recorded checksums, unchanged.
if command -v gnuplot >/dev/null; then
    ln -s "$(command -v gnuplot)" "$work/bin/gnuplot"
    CC=nothing PATH=$work/bin run "$plots/draw.sh" "$plots/results/cpu" --out "$work/cpu"
    check "no compiler is no failure" test $status -eq 0
    check "no clang" has "$work/out" "no clang: the charts of lanes stay as they are"
    check "no C compiler" has "$work/out" "no C compiler: the maps of banks and sectors stay as they are"
    check "what needs none is drawn" test -s "$work/cpu/counts.svg" -a ! -e "$work/cpu/bank_map_plain.png"
fi
CC=nothing PATH=$work/bin run "$plots/draw.sh" "$plots/results/cpu" --sums
for name in lanes_02_smem bank_map_plain; do
    check "the sum of $name" has "$work/out" "$(grep "^$name" "$plots/figures/drawn_from.tsv")"
done
finish
