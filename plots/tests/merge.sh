#!/bin/bash
# plots/merge.sh writes medians over runs, atomically. usage: merge.sh
. "$(dirname "$0")/plots.sh"

cp "$data/turns/1.tsv" "$work/old.tsv"
run "$plots/merge.sh" "$work/old.tsv" "$data"/turns/[123].tsv
check "medians of three turns" cmp "$work/old.tsv" "$data/turns/merged.tsv"
run "$plots/merge.sh" "$work/one.tsv" "$data/turns/1.tsv"
run "$plots/merge.sh" "$work/two.tsv" "$work/one.tsv"
check "one turn stays as it is" cmp "$work/one.tsv" "$work/two.tsv"
check "later columns are filled in" test "$(sed '/^#/d; s/\t4\t1\tnan\t1$//; s/\telement_bytes.*//' "$work/one.tsv")" = "$(sed '/^#/d' "$data/turns/1.tsv")"
run "$plots/merge.sh" --command 'run_all.sh --out "a\b"' "$work/one.tsv" "$data/turns/1.tsv"
check "--command, character for character" has "$work/one.tsv" '# command: run_all.sh --out "a\b"'
check "--command replaces the old one" lacks "$work/one.tsv" 'turn 1'
run "$plots/merge.sh" "$work/same.tsv" "$data/turns/1.tsv" "$work/nothing.tsv"
check "a missing file" fails 2 "nothing.tsv: cannot be read"
sed 's/Made-Up GPU 9000/Made-Up GPU 9001/' "$data/turns/2.tsv" >"$work/other.tsv"
run "$plots/merge.sh" "$work/same.tsv" "$data/turns/1.tsv" "$work/other.tsv"
check "files of two GPUs" fails 2 "of another GPU"
check "nothing written for them" test ! -e "$work/same.tsv"
{ echo "# headline 01_naive: a compared with b"; cat "$data/turns/1.tsv"; } >"$work/a.tsv"
{ echo "# headline 02_smem: c compared with a"; echo "# headline 01_naive: a compared with b"; cat "$data/turns/2.tsv"; } >"$work/b.tsv"
run "$plots/merge.sh" "$work/headlines.tsv" "$work/a.tsv" "$work/b.tsv"
check "headlines of all files, once each" test "$(grep -c '^# headline' "$work/headlines.tsv")" -eq 2
sed -i 's/: a compared/: d compared/' "$work/b.tsv"
run "$plots/merge.sh" "$work/same.tsv" "$work/a.tsv" "$work/b.tsv"
check "two headlines of one step" fails 2 "two headlines of one step: headline 01_naive: a compared with b and"
{ columns; row 08_x a 8 8 ok 1 0 10 50 nan; } | sed '1s/$/\telement_bytes\tbatches/; 2s/$/\t2\t1/' >"$work/half.tsv"
sed 's/2\t1$/8\t3/' "$work/half.tsv" >"$work/eight.tsv"
run "$plots/merge.sh" "$work/elements.tsv" "$work/half.tsv" "$work/eight.tsv"
check "rows of other elements are rows of their own" test "$(grep -c '^08_x' "$work/elements.tsv")" -eq 2
run "$plots/merge.sh" "$data/turns/1.tsv/x.tsv" "$data/turns/1.tsv"
check "an impossible destination" fails 1 "cannot be written"
mkdir "$work/folder.tsv"
run "$plots/merge.sh" "$work/folder.tsv" "$data/turns/1.tsv"
check "a destination that is a folder" fails 1 "cannot be written"
check "no part left behind" test -z "$(find "$work" -name '*.tsv.*')"
cp "$data/turns/1.tsv" "$work/kept.tsv"
(ulimit -f 1 && "$plots/merge.sh" "$work/kept.tsv" "$data/full/bandwidth.tsv") >/dev/null 2>&1
status=$?
check "a full disk is an error" test $status -ne 0
check "a full disk leaves the old file" cmp "$work/kept.tsv" "$data/turns/1.tsv"
finish
