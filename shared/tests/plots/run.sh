#!/usr/bin/env bash
# Tests of plots/: merging turns, tables, charts, recording. All data here is made up.
# Prints a line for each check that fails, then `N passed, N failed`; exit status 0 or 1.
set -u
export LC_ALL=C
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
data=$here/data
plots=$root/plots
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
passed=0 failed=0

# check NAME COMMAND...: passes if COMMAND succeeds.
check() {
    local name=$1
    shift
    if "$@" >"$tmp/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $name"
        sed 's/^/    /' "$tmp/log" | head -n 12
    fi
}

# run COMMAND...: leaves its output in $tmp/out, its errors in $tmp/err, its status in $status.
run() {
    "$@" >"$tmp/out" 2>"$tmp/err"
    status=$?
}

# fails STATUS TEXT: the last run exited so, with one line of error that contains TEXT.
fails() {
    cat "$tmp/err"
    echo "status $status"
    [ "$status" -eq "$1" ] && [ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qF -- "$2" "$tmp/err"
}

has() { grep -qF -- "$2" "$1" || { echo "no '$2' in:"; cat "$1"; return 1; }; }
lacks() { ! grep -qF -- "$2" "$1"; }
columns() { grep -v '^#' "$data/full/bandwidth.tsv" | head -n 1; }
row() { printf '%s\n' "$*" | tr ' ' '\t'; }
# Every file below a folder, with its contents: to see that nothing was touched.
print_of() { (cd "$1" && find . -type f | sort | xargs cksum); }

echo "merge.sh"
cp "$data/turns/1.tsv" "$tmp/old.tsv"
run "$plots/merge.sh" "$tmp/old.tsv" "$data"/turns/[123].tsv
check "medians of three turns" cmp "$tmp/old.tsv" "$data/turns/merged.tsv"
run "$plots/merge.sh" "$tmp/one.tsv" "$data/turns/1.tsv"
check "one turn stays as it is" cmp "$tmp/one.tsv" "$data/turns/1.tsv"
run "$plots/merge.sh" --command 'run_all.sh --out "a\b"' "$tmp/one.tsv" "$data/turns/1.tsv"
check "--command, character for character" has "$tmp/one.tsv" '# command: run_all.sh --out "a\b"'
check "--command replaces the old one" lacks "$tmp/one.tsv" 'turn 1'
run "$plots/merge.sh" "$tmp/same.tsv" "$data/turns/1.tsv" "$tmp/nothing.tsv"
check "a missing file" fails 2 "nothing.tsv: cannot be read"
sed 's/Made-Up GPU 9000/Made-Up GPU 9001/' "$data/turns/2.tsv" >"$tmp/other.tsv"
run "$plots/merge.sh" "$tmp/same.tsv" "$data/turns/1.tsv" "$tmp/other.tsv"
check "files of two GPUs" fails 2 "of another GPU"
check "nothing written for them" test ! -e "$tmp/same.tsv"
run "$plots/merge.sh" "$data/turns/1.tsv/x.tsv" "$data/turns/1.tsv"
check "an impossible destination" fails 1 "cannot be written"
mkdir "$tmp/folder.tsv"
run "$plots/merge.sh" "$tmp/folder.tsv" "$data/turns/1.tsv"
check "a destination that is a folder" fails 1 "cannot be written"
check "no part left behind" test -z "$(find "$tmp" -name '*.tsv.*')"
cp "$data/turns/1.tsv" "$tmp/kept.tsv"
(ulimit -f 1 && "$plots/merge.sh" "$tmp/kept.tsv" "$data/full/bandwidth.tsv") >/dev/null 2>&1
status=$?
check "a full disk is an error" test $status -ne 0
check "a full disk leaves the old file" cmp "$tmp/kept.tsv" "$data/turns/1.tsv"

echo "malformed TSV"
bad() { # NAME TEXT SED-COMMAND: turn 1, spoilt
    sed "$3" "$data/turns/1.tsv" >"$tmp/bad.tsv"
    run "$plots/table.sh" "$tmp/bad.tsv"
    check "$1" fails 2 "$2"
}
bad "a word for a number" "'fast' is not a number (gb_per_s)" 's/200\.0/fast/'
bad "a number with a tail" "'200.0GB' is not a number" 's/200\.0/200.0GB/'
bad "a missing field" "expected 10 tab-separated fields, found 9" 's/	20\.0$//'
bad "an unknown status" "unknown status 'fine'" '/	a	/s/ok/fine/'
bad "another column" "expected the columns: step variant" 's/gb_per_s/speed/'
bad "no rows" "no rows" '/^01/d'
: >"$tmp/empty.tsv"
run "$plots/table.sh" "$tmp/empty.tsv"
check "an empty file" fails 2 "no header row"

echo "table.sh"
run "$plots/table.sh" "$data/turns/merged.tsv"
check "the ceiling row" has "$tmp/out" '| | copy ceiling | 1.100 | 800 | 100.0 | 75.0 | 0.2000 |'
check "the best in bold" has "$tmp/out" '| 01_naive | **a** | 9.000 | **90** | **12.9** | 9.0 | 0.3000 |'
check "not the second best" has "$tmp/out" '| 01_naive | d | 3.500 | 75 | 9.5 | 7.5 | 0.6000 |'
check "a failed row" has "$tmp/out" '| 01_naive | b | failed | - | - | - | - |'
check "another size is left out" lacks "$tmp/out" '02_smem'
check "provenance" has "$tmp/out" 'Made-Up GPU 9000, 64 x 64 floats, 2001-02-01; '
run "$plots/table.sh" "$data/turns/merged.tsv" 01_naive
check "a step in plain text" has "$tmp/out" 'a        ok           9.000       90       12.9'
run "$plots/table.sh" "$data/full/bandwidth.tsv"
check "peers come last" test "$(grep "^|" "$tmp/out" | tail -n 5 | grep -c "^| peers")" -eq 5
check "PyTorch's copy is not the best transpose" has "$tmp/out" '| peers | **cublas_geam** |'
run "$plots/table.sh" "$data/full/bandwidth.tsv" 09_none
check "a step that is not there" fails 1 "no rows of step 09_none"

echo "what the charts are given"
arrange() { awk -f "$plots/common.awk" -f "$plots/$1" "${@:3}" "$2" >"$tmp/arranged"; }
run awk -v best=1 -f "$plots/common.awk" -f "$plots/bars.awk" "$data/full/bandwidth.tsv"
check "best of a step" has "$tmp/out" "$(row 3 step 03_padding padded 1892.00 44.06 ok)"
check "best of many" has "$tmp/out" 'registers4x4_evict_first	4114.00'
check "a bar for each step and transposing peer" test "$(grep -vc '^#\|^y' "$tmp/out")" -eq 12
# Nine ceilings; the fifth by size, found another way.
median=$(awk -F '\t' '$2 == "ceiling" { print $8 }' "$data/full/bandwidth.tsv" | sort -n | sed -n 5p)
check "the ceiling is a median" has "$tmp/out" "# ceiling: $median"
run awk -f "$plots/common.awk" -f "$plots/bars.awk" "$data/turns/merged.tsv"
check "sorted, figureless last" test "$(awk -F '\t' '$2 == "step" { printf "%s", $4 }' "$tmp/out")" = adfbc
{ columns
  row 01_naive ceiling 256 256 ok 1 0 500 100 nan
  row 02_smem ceiling 256 256 ok 1 0 510.5 100 nan
  row 01_naive a 1024 1024 ok 1 0 90 9 nan
  row 01_naive a 256 256 ok 1 0 100 20 nan
  row 01_naive b 256 256 ok 1 0 120 24 nan
  row 01_naive b 1024 1024 skipped nan nan nan nan nan
  row 01_naive b 1000 256 ok 1 0 999 99 nan; } >"$tmp/sizes.tsv"
run awk -f "$plots/common.awk" -f "$plots/sizes.awk" "$tmp/sizes.tsv"
printf '%s\t%s\n' "copy ceiling" gb_per_s 256 505.25 >"$tmp/want"
printf '\n\n' >>"$tmp/want"
printf '%s\t%s\n' 01_naive gb_per_s 256 120 1024 90 >>"$tmp/want"
check "the best at each square size" cmp "$tmp/out" "$tmp/want"
{ row step variant rows cols counter requests work ideal_work
  row 02_smem a 64 64 global_load 10 320 40
  row 02_smem a 64 64 global_store 0 0 0
  row 02_smem a 64 64 shared_load 10 160 20
  row 02_smem a 64 64 async_copy_shared 5 20 20
  row 02_smem a 64 64 tma_store 1 64 64; } >"$tmp/counts.tsv"
run awk -f "$plots/common.awk" -f "$plots/counts.awk" "$tmp/counts.tsv"
check "sectors per request, degree, cp.async, TMA" has "$tmp/out" \
    "$(row 1 variant 02_smem a 32 4 warp nan nan tma 8 1 warp 1 1 async)"

piles() { # WORD-FORMULA WORDS-PER-LANE: the title of the panel for a warp that does this
    awk -v n="$2" "BEGIN { OFS = \"\t\"; print \"step\", \"variant\", \"counter\", \"lane\", \"bank\", \"word\"
        for (l = 0; l < 32; l++) for (k = 0; k < n; k++) {
            w = ($1) + k; print \"s\", \"v\", \"shared_load\", l, w % 32, w } }" >"$tmp/lanes.tsv"
    awk -v step=s -f "$plots/lanes.awk" "$tmp/lanes.tsv" | awk -F '\t' '$1 == "title" { print $4 }' >"$tmp/out"
}
piles '32 * l' 1; check "a column: one pile" has "$tmp/out" 'a pile 32 high where 1 would do'
piles '33 * l' 1; check "a padded column: flat" has "$tmp/out" '1 high, as low as can be'
piles '7' 1; check "a broadcast: one word" has "$tmp/out" '1 high, as low as can be'
piles 'int(l / 2)' 1; check "halves of words: flat" has "$tmp/out" '1 high, as low as can be'
piles '4 * l' 4; check "16 bytes a lane in a row: four parts" has "$tmp/out" '4 high, as low as can be'
# Flat over the whole warp, but within each quarter only two groups of banks are met.
piles '4 * (int(l / 4) + 8 * (l % 4))' 4
check "16 bytes a lane, a conflict within each quarter" has "$tmp/out" 'a pile 16 high where 4 would do'

echo "draw.sh: usage"
run "$plots/draw.sh"; check "no folder" fails 2 "which folder"
run "$plots/draw.sh" "$tmp/nowhere"; check "a missing folder" fails 2 "no such folder"
run "$plots/draw.sh" "$tmp" --size; check "an unknown option" fails 2 "unknown option --size"
run "$plots/draw.sh" "$tmp" --out; check "a missing value" fails 2 "--out needs a value"

echo "percent_table.sh"
{
    columns
    row 06_x a 8 16 ok 1 0 10 91.26 nan
    row 06_x b 8 16 ok 1 0 10 91.34 nan
    row 06_x a 8 8 ok 1 0 10 50 nan
    row 06_x b 8 8 skipped nan nan nan nan nan
    row 06_x a 4 32 ok 1 0 10 3 nan
    row 06_x a 16 16 ok 1 0 10 7 nan
    row 06_x ceiling 8 8 ok 1 0 20 100 nan
    row peers ceiling 8 8 ok 1 0 22 100 nan
} >"$tmp/shapes.tsv"
run "$plots/percent_table.sh" "$tmp/shapes.tsv" b a c
check "the shapes by size" has "$tmp/out" '| % of copy | 8 x 8 | 4 x 32 | 8 x 16 | 16 x 16 |'
check "a row, the best in bold, equals alike" has "$tmp/out" "| \`a\` | **50.0** | **3.0** | **91.3** | **7.0** |"
check "skipped, and not measured" has "$tmp/out" "| \`b\` | skipped | - | **91.3** | - |"
check "a variant that is nowhere" has "$tmp/out" "| \`c\` | - | - | - | - |"
check "the ceiling, a median" has "$tmp/out" '| copy ceiling, GB/s | 21 | - | - | - |'
run "$plots/percent_table.sh" "$tmp/shapes.tsv" c
check "none of the variants" fails 1 "none of these variants"
run "$plots/percent_table.sh"
check "no file named" fails 2 "needs FILE.tsv"

# A machine without gnuplot: only the tools that are needed otherwise.
mkdir "$tmp/bin"
for tool in bash env awk dirname mkdir mktemp rm cat grep sed tail mv; do
    ln -s "$(command -v $tool)" "$tmp/bin/$tool"
done
mkdir "$tmp/run"
cp "$data"/full/*.tsv "$tmp/run"
before=$(print_of "$tmp/run")
PATH=$tmp/bin run "$plots/draw.sh" "$tmp/run"
check "gnuplot missing" fails 1 "apt-get install gnuplot-nox), then run: plots/draw.sh $tmp/run"
check "gnuplot missing: nothing lost, nothing made" test "$before" = "$(print_of "$tmp/run")"

if ! command -v gnuplot >/dev/null; then
    echo "SKIPPED: drawing and recording, for want of gnuplot"
else

echo "draw.sh: all charts"
# whole NAME: both pictures are there and complete.
whole() {
    [ "$(head -c 4 "$figures/$1.png" | tail -c 3)" = PNG ] && [ "$(wc -c <"$figures/$1.png")" -gt 4000 ] &&
        tail -c 12 "$figures/$1.png" | grep -q IEND && tail -c 12 "$figures/$1.svg" | grep -q '</svg>'
}
run "$plots/draw.sh" "$tmp/run" --note "made up"
figures=$tmp/run/figures
check "exit status" test $status -eq 0
check "no warning" test ! -s "$tmp/err"
charts="progression variants sizes counts lanes_02_smem lanes_03_padding lanes_04_swizzle_5_0_5
    lanes_06_vectorize lanes_07_tma bank_map_plain bank_map_padded bank_map_swizzle_5_0_5 bank_map_guide"
for chart in $charts; do check "$chart" whole "$chart"; done
check "no other file" test "$(find "$figures" -type f | wc -l)" -eq $((2 * $(echo "$charts" | wc -w)))
check "says where they are" has "$tmp/out" "$figures"
svg=$figures/progression.svg
for text in 'Made-Up GPU 9000, 2001-02-03, made up' registers4x4_evict_first '4114 GB/s   96 % of copy' \
    'copy ceiling 4296 GB/s' 'theoretical peak 4814 GB/s' failed; do
    check "progression says: $text" has "$svg" "$text"
done
check "variants says what was skipped" has "$figures/variants.svg" skipped
check "sizes begins at the smallest size" lacks "$figures/sizes.svg" '> 128<'
check "sizes begins there" has "$figures/sizes.svg" '> 256<'
check "sizes marks L2" has "$figures/sizes.svg" 'both matrices fit in L2 (63 MB)'
check "the plain map has a conflict" has "$figures/bank_map_plain.svg" 'a column: 32-way conflict'
check "the padded map has none" has "$figures/bank_map_padded.svg" 'a row: no conflict, a column: no conflict'
check "the guide's plain map" has "$figures/bank_map_guide.svg" 'No swizzle: a row: no conflict, a column: 8-way conflict'
check "the guide's swizzled map" has "$figures/bank_map_guide.svg" '128-byte swizzle: a row: no conflict, a column: no conflict'

echo "draw.sh: odd inputs"
odd() { # NAME [CHART...]: draws $tmp/odd into $tmp/odd/figures, without a word of complaint
    local name=$1 chart
    shift
    run "$plots/draw.sh" "$tmp/odd"
    figures=$tmp/odd/figures
    check "$name" test "$status" -eq 0 -a ! -s "$tmp/err"
    for chart in "$@"; do check "$name: $chart" whole "$chart"; done
    rm -rf "$tmp/odd"
    mkdir "$tmp/odd"
}
mkdir "$tmp/odd"
odd "an empty folder" bank_map_plain bank_map_guide
{ columns; row 01_naive a 1 1 ok 0.002 0 0.004 nan nan; } >"$tmp/odd/bandwidth.tsv"
cp "$tmp/odd/bandwidth.tsv" "$tmp/odd/sizes.tsv"
odd "a single row, no headers, no ceiling" progression variants sizes
{ echo "# theoretical peak GB/s: unknown"; echo "# l2 bytes: 0"; columns; row 07_tma a 8 8 skipped nan nan nan nan nan; row 07_tma b 8 8 failed nan nan nan nan nan; } >"$tmp/odd/bandwidth.tsv"
cp "$tmp/odd/bandwidth.tsv" "$tmp/odd/sizes.tsv"
odd "nothing that ran" progression variants
{ columns; row 01_naive ceiling 8 8 ok 0 0 0 0 0; row peers cublas_geam 8 8 ok 0 0 0 0 0; } >"$tmp/odd/bandwidth.tsv"
cp "$tmp/odd/bandwidth.tsv" "$tmp/odd/sizes.tsv"
odd "zeros, peers alone" progression variants sizes
{ row step variant rows cols counter requests work ideal_work; row 02_smem a 1 1 global_load 0 0 0; } >"$tmp/odd/counts.tsv"
{ row step variant counter lane bank; row 02_smem a shared_load 0 0; } >"$tmp/odd/lanes.tsv"
odd "one count of nothing, one lane" counts lanes_02_smem
cp "$data"/full/*.tsv "$tmp/odd"
sed -i '/^0[1356]_/d' "$tmp"/odd/*.tsv
odd "steps that are missing" progression variants sizes counts

echo "draw.sh: whole or not at all"
cp -r "$tmp/run" "$tmp/kept"
before=$(print_of "$tmp/kept")
sed -i 's/4298.00/fast/' "$tmp/kept/bandwidth.tsv"
run "$plots/draw.sh" "$tmp/kept"
check "a malformed file" fails 2 "'fast' is not a number"
cp "$tmp/run/bandwidth.tsv" "$tmp/kept"
check "a malformed file changes no figure" test "$before" = "$(print_of "$tmp/kept")"
(ulimit -f 12 && "$plots/draw.sh" "$tmp/kept" --note later) >/dev/null 2>&1
status=$?
check "a full disk is an error" test $status -eq 1
check "a full disk leaves every figure" test "$before" = "$(print_of "$tmp/kept")"
# A gnuplot that stops half way and says nothing of it.
printf '#!/bin/sh\necho half >"$4"\n' >"$tmp/bin/gnuplot"
chmod +x "$tmp/bin/gnuplot"
PATH=$tmp/bin run "$plots/draw.sh" "$tmp/kept"
check "half a picture is an error" test "$status" -eq 1
check "half a picture leaves every figure" test "$before" = "$(print_of "$tmp/kept")"
rm "$tmp/bin/gnuplot"
run "$plots/draw.sh" "$tmp/run" --out "$tmp/run/bandwidth.tsv/x"
check "an impossible destination" fails 1 "cannot be made"
run "$plots/draw.sh" "$tmp/run" --out "$tmp/with space's"
check "a destination with a blank and a quote" test -s "$tmp/with space's/progression.png"

echo "record.sh"
# A small copy of the tree: the scripts, a README, three steps, one of them a link.
tree=$tmp/tree
mkdir -p "$tree/shared" "$tree/steps/06_vectorize" "$tree/steps/02_smem"
mkdir -p "$tree/shared/harness" && cp "$root/shared/harness/swizzle.h" "$tree/shared/harness"
mkdir -p "$tree/plots/results"
cp "$plots"/*.* "$tree/plots"
cp -r "$plots/results/bank_maps" "$tree/plots/results"
markers() { printf '<!-- %s: begin (plots/record.sh writes this) -->\n<!-- %s: end -->\n' "$1" "$1"; }
{ echo "# Above"; markers results; echo "below"; } >"$tree/README.md"
{ echo "# Lesson"; markers output; echo "below"; } >"$tree/steps/06_vectorize/README.md"
ln -s 06_vectorize "$tree/steps/06"
echo "no markers" >"$tree/steps/02_smem/README.md"
{ echo "# Chapter"; markers percent; echo "below"; } >"$tree/steps/06_vectorize/chapter.md"
# The full run without its failure, as a GPU of that name would have written it.
good=$tmp/good
mkdir "$good"
cp "$data"/full/*.tsv "$good"
sed -i '/	failed	/d; s/^# gpu: .*/# gpu: NVIDIA H200/' "$good"/*.tsv

check "nothing recorded is not stale" "$tree/plots/record.sh" --check
fresh=$(print_of "$tree")
run "$tree/plots/record.sh" "$data/full"
check "a failed row is refused" fails 2 "torch_max_autotune of peers failed"
mkdir "$tmp/cpu"
cp "$data/full/counts.tsv" "$tmp/cpu"
run "$tree/plots/record.sh" "$tmp/cpu"
check "a run without bandwidth is refused" fails 2 "only a run on a GPU can be recorded"
cp "$good/bandwidth.tsv" "$tmp/cpu"
sed -i '/^# gpu/d' "$tmp/cpu/bandwidth.tsv"
run "$tree/plots/record.sh" "$tmp/cpu"
check "bandwidth of no GPU is refused" fails 2 "was not measured on a GPU"
run "$tree/plots/record.sh" "$good" ../x
check "a folder outside is refused" fails 2 "no name for a folder"
PATH=$tmp/bin run "$tree/plots/record.sh" "$good"
check "recording without gnuplot" fails 1 "nothing is changed"
sed '/results: end/d' "$tree/README.md" >"$tmp/README" && cp "$tree/README.md" "$tmp/README.kept" && cp "$tmp/README" "$tree/README.md"
run "$tree/plots/record.sh" "$good"
check "a lost marker" fails 2 "lacks the markers"
cp "$tmp/README.kept" "$tree/README.md"
check "none of these changed anything" test "$fresh" = "$(print_of "$tree")"

run "$tree/plots/record.sh" "$good"
check "a good run" test $status -eq 0
check "a link to a step is not a step" lacks "$tmp/out" "steps/06:"
check "its files, in the GPU's folder" cmp "$good/bandwidth.tsv" "$tree/plots/results/h200/bandwidth.tsv"
check "its figures" has "$tree/plots/figures/progression.svg" "NVIDIA H200, 2001-02-03, recorded"
"$plots/table.sh" "$good/bandwidth.tsv" >"$tmp/table"
sed -n '/results: begin/,/results: end/p' "$tree/README.md" >"$tmp/shown"
check "its table" test "$(grep -c '^|' "$tmp/shown")" -eq "$(grep -c '^|' "$tmp/table")"
check "what stands around it" test "$(head -n 1 "$tree/README.md") $(tail -n 1 "$tree/README.md")" = "# Above below"
check "a lesson's output" has "$tree/steps/06_vectorize/README.md" "registers4x4_evict_first   ok           2.088     4114       95.8"
check "a lesson without markers" has "$tree/steps/02_smem/README.md" "no markers"
check "no part left behind" test -z "$(find "$tree" -name '*.[0-9]*')"
check "then nothing is stale" "$tree/plots/record.sh" --check
check "a run without several shapes leaves the chapter" test "$(wc -l <"$tree/steps/06_vectorize/chapter.md")" -eq 4
sed 's/registers4x4_evict_first/registers4x4/' "$good/bandwidth.tsv" >"$good/last_percent.tsv"
run "$tree/plots/record.sh" "$good"
check "a chapter's table" has "$tree/steps/06_vectorize/chapter.md" "| \`registers4x4\` | "
check "its file" cmp "$good/last_percent.tsv" "$tree/plots/results/h200/last_percent.tsv"
check "still nothing is stale" "$tree/plots/record.sh" --check
first=$(print_of "$tree")
run "$tree/plots/record.sh" "$good"
check "again changes nothing" test "$first" = "$(print_of "$tree")"

# stale NAME WHAT FILE SED-COMMAND: --check sees this change, and names the file.
stale() {
    cp "$tree/$3" "$tmp/original"
    sed -i "$4" "$tree/$3"
    run "$tree/plots/record.sh" --check
    check "$1" test "$status" -eq 1
    check "$1, by name" has "$tmp/out" "stale: $2"
    cp "$tmp/original" "$tree/$3"
}
stale "a number typed into the table" README.md README.md 's/| \*\*1892\*\* |/| **1893** |/'
stale "newer results" README.md plots/results/h200/bandwidth.tsv 's/1892.00/1991.00/'
stale "a lesson's output" steps/06_vectorize/README.md steps/06_vectorize/README.md 's/ 4114 / 4115 /'
stale "a chapter's table" steps/06_vectorize/chapter.md steps/06_vectorize/chapter.md 's/^| \(.*\) [0-9.]* |$/| \1 1.0 |/'
stale "newer shapes" steps/06_vectorize/chapter.md plots/results/h200/last_percent.tsv 's/\t95.80\t/\t95.06\t/'
stale "a bank map" plots/results/bank_maps/padded.tsv plots/results/bank_maps/padded.tsv '7s/.$/9/'
stale "the formula of a map" plots/results/bank_maps/plain.tsv shared/harness/swizzle.h 's/return row \* pitch + col/return row * pitch + col + 1/'
stale "a figure of another run" plots/figures/progression.svg plots/figures/progression.svg 's/2001-02-03/2001-02-02/'
check "all put back: nothing stale" "$tree/plots/record.sh" --check

sed -i 's/NVIDIA H200/NVIDIA GeForce RTX 1/' "$good"/sizes.tsv
run "$tree/plots/record.sh" "$good"
check "files of two GPUs are refused" fails 2 "another GPU"
rm "$good"/sizes.tsv "$good"/bandwidth.tsv
run "$tree/plots/record.sh" "$good"
check "lanes of a CPU run" cmp "$good/lanes.tsv" "$tree/plots/results/cpu/lanes.tsv"
check "a CPU run leaves the table" test "$(grep -c 'results/h200/bandwidth.tsv' "$tree/README.md")" -eq 1

fi

echo "this tree"
check "committed tables, figures and bank maps are up to date" "$plots/record.sh" --check

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
