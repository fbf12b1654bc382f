#!/bin/bash
# Columns are found by name: every tool prints the same if the columns of a file are in another order, with an
# unknown column among them. usage: columns.sh
. "$(dirname "$0")/plots.sh"

# shuffled FILE: prints FILE with its columns in reverse order, after an unknown column.
shuffled() {
    awk 'BEGIN { FS = OFS = "\t" }
        /^#/ { print; next }
        { line = seen++ ? "x" : "mystery"; for (i = NF; i > 0; i--) line = line OFS $i; print line }' "$1"
}

# same NAME COMMAND...: checks that COMMAND prints the same with FOLDER replaced by $work/plain and by
# $work/shuffled.
same() {
    local name=$1
    shift
    check "$name succeeds" eval "(${*//FOLDER/$work/plain}) >'$work/one' 2>'$work/err'"
    check "$name prints something" test -s "$work/one"
    eval "(${*//FOLDER/$work/shuffled}) >'$work/two' 2>'$work/err'"
    check "$name: $(diff "$work/one" "$work/two" | head -n 4)" cmp -s "$work/one" "$work/two"
}

mkdir "$work/plain"
cp "$data"/full/*.tsv "$work/plain"
{ echo "# headline 01_naive: a compared with a"; cat "$data/turns/merged.tsv"; } >"$work/plain/turn.tsv"
made_lanes >"$work/plain/lanes.tsv"
{ echo "# gpu: X"; row step variant rows cols dram__bytes_read.sum; row 02_smem a 8 8 5000000; } >"$work/plain/dram.tsv"
row 05_x lane 8 8 shared_load 10 20 nan | cat "$data/full/counts.tsv" - >"$work/plain/more.tsv"
mkdir "$work/shuffled"
for file in "$work"/plain/*.tsv; do shuffled "$file" >"$work/shuffled/${file##*/}"; done

same table.sh "'$plots/table.sh' FOLDER/bandwidth.tsv"
same "table.sh of a step" "'$plots/table.sh' FOLDER/bandwidth.tsv 06_vectorize"
same headlines "'$plots/tables.py' headlines FOLDER/turn.tsv"
same shapes "'$plots/tables.py' shapes FOLDER/shapes.tsv"
same merge.sh "'$plots/merge.sh' '$work/merged' FOLDER/turn.tsv FOLDER/turn.tsv && cat '$work/merged'"
same counts "'$plots/tables.py' counts FOLDER/counts.tsv"
same dram "'$plots/tables.py' dram FOLDER/dram.tsv"
same columns.sh "'$plots/columns.sh' FOLDER/dram.tsv dram__bytes_read.sum step"
same "draw.sh, what each picture is drawn from" "'$plots/draw.sh' FOLDER --sums"
same "profile/compare.sh" "'$root/shared/profile/compare.sh' FOLDER/counts.tsv FOLDER/counts.tsv"
check "compare.sh sees what is missing" not "$root/shared/profile/compare.sh" "$work/plain/counts.tsv" "$work/shuffled/more.tsv" >"$work/out"
if command -v gnuplot >/dev/null; then
    printf '# layout: x\nrow\tcol\toffset\tbank\n0\t0\t0\t0\n0\t1\t33\t1\n1\t0\t1\t1\n1\t1\t34\t2\n' >"$work/plain/grid.tsv"
    shuffled "$work/plain/grid.tsv" >"$work/shuffled/grid.tsv"
    same layout.gp "gnuplot -e \"input='FOLDER/grid.tsv'; output_file='/dev/stdout'\" '$plots/layout.gp' | cksum"
else
    skip "gnuplot is not installed: the charts' scripts"
fi
run "$plots/columns.sh" "$work/plain/dram.tsv" step colour
check "a column that is not there" fails 2 "no column colour"
finish
