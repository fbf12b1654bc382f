#!/bin/bash
# Without a GPU the charts of bandwidth are drawn from recorded results, each in a folder of its
# own, labelled; what an older version left in the folder of results does no harm. usage: charts.sh
. "$(dirname "$0")/workbook.sh"
command -v gnuplot >/dev/null || { skip "gnuplot is not installed"; finish; }
make_workbook "$work/book"
cp "$root/plots/draw.sh" "$work/book/plots/draw.sh"
out=$work/book/out
mkdir "$out"
printf 'step\tvariant\tgb_per_s\n01_first\tv\t1\n' |
    tee "$out/bandwidth.tsv" "$out/sizes.tsv" >"$work/old"

expect 0 run_fake
says 'recorded on NVIDIA H200, 20[0-9-]*T[0-9:]*Z: out/figures/h200'
check 'a chart of the counts' [ -n "$(compgen -G "$out/figures/counts.*")" ]
for chart in progression sizes; do
    check "$chart of h200" [ -n "$(compgen -G "$out/figures/h200/$chart.*")" ]
done
label() { grep -qE "$1.*20[0-9][0-9]-.*recorded" "$out"/figures/*/progression.svg; }
check 'GPU, date and the word recorded in the chart' label H200
check 'the old bandwidth.tsv is as it was' cmp -s "$work/old" "$out/bandwidth.tsv"

cp -r "$work/book/plots/results/h200" "$work/book/plots/results/other"
sed -i 's/^# gpu: .*/# gpu: NVIDIA Other/' "$work/book/plots/results/other"/*.tsv
expect 0 "$work/book/run_all.sh" --size 32 --recorded other
says 'recorded on NVIDIA Other, .*: out/figures/other'
check 'progression of other' [ -n "$(compgen -G "$out/figures/other/progression.*")" ]
check 'progression of h200 is still there' [ -n "$(compgen -G "$out/figures/h200/progression.*")" ]
finish
