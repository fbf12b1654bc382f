#!/bin/bash
# Checks that git ignores everything built in the tree and no source. usage: ignored.sh
. "$(dirname "$0")/tree.sh"
if ! command -v git >/dev/null || ! git rev-parse >/dev/null 2>&1; then
    skip "no git repository here"
    finish
fi
ignored() { git check-ignore -q "$1"; }

for folder in steps/[0-9][0-9]_*/; do
    [ -L "${folder%/}" ] && continue
    program=$folder$(sed -n 's/^PROGRAM *:= *//p' "$folder/Makefile")
    for product in "$program" "$program".{cpu,html} "$folder"exercises/some/{answer,answer.cu,answer.cu.old}; do
        check "not ignored: $product" ignored "$product"
    done
done
for product in out/x build/x steps/99_new/new steps/99_new/new.cpu steps/99_new/new.o \
    shared/layout/layout shared/peers/cublas_geam; do
    check "not ignored: $product" ignored "$product"
done
for source in steps/99_new/{new.cu,new.cuh,Makefile,README.md,chapter.md,exercises/new1_turn/{task.cu,solution.cu,hints.md,explanation.md,answers.txt}} \
    shared/new/new.c shared/cpucc/cpucc plots/results/new/bandwidth.tsv; do
    check "ignored: $source" not ignored "$source"
done
git ls-files -ci --exclude-standard >"$work/both"
check "ignored, yet in the tree: $(cat "$work/both")" [ ! -s "$work/both" ]
finish
