#!/bin/bash
# plots/draw.sh: wrong usage, and a machine without gnuplot. usage: usage.sh
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
finish
