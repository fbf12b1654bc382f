#!/bin/bash
# Tests plots/record.sh in a small copy of the tree. usage: record.sh
. "$(dirname "$0")/plots.sh"
need_gnuplot

without_gnuplot
# The small copy: the scripts, a README, and three steps, one of which is a link.
tree=$work/tree
mkdir -p "$tree/shared" "$tree/steps/06_vectorize" "$tree/steps/02_smem" "$tree/plots/results"
cp "$plots"/*.* "$tree/plots"
cp -r "$root/shared/layout" "$root/shared/traffic" "$tree/shared"
markers() { printf '<!-- %s: begin (plots/record.sh writes this) -->\n<!-- %s: end -->\n' "$1" "$1"; }
results=plots/results/README.md
{ echo "# Above"; markers results; echo "below"; } >"$tree/$results"
echo "# Top" >"$tree/README.md"
{ echo "# Lesson"; markers output; echo "below"; } >"$tree/steps/06_vectorize/README.md"
ln -s 06_vectorize "$tree/steps/06"
{ echo "no other markers"; markers "output tile32" | sed '$s/ tile32//'; } >"$tree/steps/02_smem/README.md"
# data/full without its failed row, with an H200 as the GPU.
good=$work/good
mkdir "$good"
cp "$data"/full/*.tsv "$good"
made_lanes >"$good/lanes.tsv"
sed -i '/	failed	/d; s/^# gpu: .*/# gpu: NVIDIA H200/' "$good"/*.tsv
sed -i '1i # headline 06_vectorize: registers4x4 compared with padded' "$good/bandwidth.tsv"

check "nothing recorded is not stale" "$tree/plots/record.sh" --check
fresh=$(print_of "$tree")
run "$tree/plots/record.sh" "$data/full"
check "a failed row is refused" fails 2 "torch_max_autotune of peers failed"
mkdir "$work/cpu"
cp "$data/full/counts.tsv" "$work/cpu"
run "$tree/plots/record.sh" "$work/cpu"
check "a run without bandwidth is refused" fails 2 "only a run on a GPU can be recorded"
cp "$good/bandwidth.tsv" "$work/cpu"
sed -i '/^# gpu/d' "$work/cpu/bandwidth.tsv"
run "$tree/plots/record.sh" "$work/cpu"
check "bandwidth of no GPU is refused" fails 2 "was not measured on a GPU"
run "$tree/plots/record.sh" "$good" ../x
check "a folder outside is refused" fails 2 "no name for a folder"
PATH=$work/bin run "$tree/plots/record.sh" "$good"
check "recording without gnuplot" fails 1 "nothing is changed"
sed '/results: end/d' "$tree/$results" >"$work/README" && cp "$tree/$results" "$work/README.kept" && cp "$work/README" "$tree/$results"
run "$tree/plots/record.sh" "$good"
check "a lost marker" fails 2 "lacks the markers"
cp "$work/README.kept" "$tree/$results"
check "none of these changed anything" test "$fresh" = "$(print_of "$tree")"

slower=$(sed -n 's/^06_vectorize\tregisters4x2_by_rule\(.*\)\t[0-9.]*$/06_vectorize\tslower\1\t1.00/p' "$good/shapes.tsv")
echo "$slower" >>"$good/shapes.tsv"
run "$tree/plots/record.sh" "$good"
check "a good run" test $status -eq 0
check "a link to a step is not a step" lacks "$work/out" "steps/06:"
check "its files, in the GPU's folder" cmp "$good/bandwidth.tsv" "$tree/plots/results/h200/bandwidth.tsv"
check "its figures" has "$tree/plots/figures/progression.svg" "NVIDIA H200, 2001-02-03, recorded"
page=$tree/plots/results/h200/README.md
"$plots/table.sh" "$good/bandwidth.tsv" >"$work/table"
check "every variant" test "$(sed '/^## DRAM/,$d' "$page" | grep '^|')" = "$(grep '^|' "$work/table")"
"$plots/tables.py" shapes "$good/shapes.tsv" >"$work/table"
check "of another step its fastest variant at a shape" test "$(awk '$1 == "06_vectorize"' "$tree/plots/results/h200/shapes.tsv")" = \
    "$(grep -P '^06_vectorize\tregisters4x2_by_rule\t' "$good/shapes.tsv")"
check "a step's fastest variant at a size" test "$(awk '/^0[56].*	32768/ && !/ceiling/ { print $2 }' "$tree/plots/results/h200/sizes.tsv" | xargs)" = \
    "coarsen4 vec2_coarsen2"
check "every shape" test "$(sed '1,/^## Any shape/d' "$page" | grep '^|')" = "$(cat "$work/table")"
check "no DRAM counters" has "$page" "Not recorded on this GPU yet"
"$plots/tables.py" headlines "$good/bandwidth.tsv" >"$work/table"
check "the headlines" test "$(grep '^|' "$tree/$results")" = "$(cat "$work/table")"
check "a headline and what it is compared with" grep -q '^| 06_vectorize | registers4x4 | padded | [0-9]* | 44.1 → ' "$tree/$results"
check "it is shown" test "$(cat "$tree/plots/results/shown")" = h200
check "what stands around it" test "$(head -n 1 "$tree/$results") $(tail -n 1 "$tree/$results")" = "# Above below"
check "a lesson's output" has "$tree/steps/06_vectorize/README.md" "registers4x4_evict_first   ok           2.088     4114       95.8"
check "the chart of shapes" has "$tree/plots/figures/shapes.svg" "NVIDIA H200, 2001-02-03, recorded"
check "a lesson's output of one variant" test "$(sed -n '6,$p' "$tree/steps/02_smem/README.md" | cut -d ' ' -f 1 | tr '\n' ' ')" = "variant tile32 \`\`\` <!-- "
check "no part left behind" test -z "$(find "$tree" -name '*.[0-9]*')"
check "then nothing is stale" "$tree/plots/record.sh" --check
first=$(print_of "$tree")
run "$tree/plots/record.sh" "$good"
check "again changes nothing" test "$first" = "$(print_of "$tree")"

# changed NAME WHAT FILE SED-COMMAND: makes a change for which --check must list WHAT. all_seen checks that
# --check lists WHAT for all changes since its last call, and undoes the changes.
stale_names=() stale_files=() originals=()
changed() {
    stale_names+=("$1") stale_files+=("$2") originals+=("$3")
    cp --parents "$3" "$work/original"
    sed -i "$4" "$3"
    check "$1: nothing is changed" not cmp -s "$3" "$work/original/$3"
}
all_seen() {
    local i
    run "$tree/plots/record.sh" --check
    check "all that is stale" test "$status" -eq 1
    for i in "${!stale_names[@]}"; do
        check "${stale_names[i]}, by name" has "$work/out" "stale: ${stale_files[i]}"
    done
    check "no file twice" test -z "$(printf '%s\n' "${stale_files[@]}" | sort | uniq -d)"
    for i in "${originals[@]}"; do cp "$work/original/$i" "$i"; done
    stale_names=() stale_files=() originals=()
}
cd "$tree" && mkdir "$work/original"
changed "a number typed into the headlines" "$results" "$results" 's/| 1892 |/| 1893 |/'
changed "a number typed into the table" plots/results/h200/README.md plots/results/h200/README.md 's/| \*\*1892\*\* |/| **1893** |/'
changed "a chart's script" plots/figures/sizes.svg plots/sizes.gp 's/"bandwidth, read/"speed, read/'
changed "a chart of another layout" plots/figures/bank_map_padded.png plots/draw.py 's/(32,32):(33,1)/(32,32):(34,1)/'
changed "a lesson's output" steps/06_vectorize/README.md steps/06_vectorize/README.md 's/ 4114 / 4115 /'
changed "a figure of another run" plots/figures/progression.svg plots/figures/progression.svg 's/2001-02-03/2001-02-02/'
all_seen
mv "$page" "$work/page"
run "$tree/plots/record.sh" --check
check "a page that is gone" has "$work/out" "stale: plots/results/h200/README.md"
mv "$work/page" "$page"
changed "newer results" "$results" plots/results/h200/bandwidth.tsv 's/1892.00/1991.00/'
changed "the model of a bank" plots/figures/bank_map_plain.png shared/layout/layout_draw.c 's/% BANK_LANES/% 16/'
all_seen
check "all put back: nothing stale" "$tree/plots/record.sh" --check
sed -i 's/registers4x4 compared/registers4x4_padded compared/' "$tree/plots/results/h200/bandwidth.tsv"
run "$tree/plots/record.sh" --refresh
check "--refresh" test $status -eq 0
check "--refresh writes what was stale" has "$tree/$results" "| 06_vectorize | registers4x4_padded | padded |"
check "nothing stale after it" "$tree/plots/record.sh" --check

# A second GPU gets its own folder and columns; charts and lessons still show the first GPU.
run "$tree/plots/record.sh" "$good" h100
check "a folder for the same GPU twice" test $status -eq 0
mkdir "$work/second"
sed 's/NVIDIA H200/NVIDIA L4/; s/4114/1234/' "$good/bandwidth.tsv" >"$work/second/bandwidth.tsv"
run "$tree/plots/record.sh" "$work/second" h200
check "another GPU in the first one's folder" fails 2 "of another GPU (NVIDIA H200)"
{ echo "# gpu: NVIDIA L4"; echo "# date: 2001-02-04"; row step variant rows cols dram__bytes_read.sum dram__cycles_active_write.avg dram__bytes_write.sum
  row 06_vectorize registers4x4 8 8 4295000000 2780000 nan; } >"$work/second/dram.tsv"
{ echo "# gpu: NVIDIA L4"; row kernel pattern lanes; row k p 1; } >"$work/second/probes.tsv"
run "$tree/plots/record.sh" "$work/second"
check "a second GPU" test $status -eq 0
check "is a column of its own" has "$tree/$results" "| H200, GB/s | % of copy | L4, GB/s | % of copy |"
check "its DRAM counters" has "$tree/plots/results/l4/README.md" "| 06_vectorize | registers4x4 | 4.295 | - | - | 2.780 |"
check "the counts of its probes" cmp "$work/second/probes.tsv" "$tree/shared/traffic/tests/probes_l4.tsv"
check "the charts stay" has "$tree/plots/figures/progression.svg" "NVIDIA H200"
check "the lessons stay" has "$tree/steps/06_vectorize/README.md" "     4114  "
check "two GPUs: nothing stale" "$tree/plots/record.sh" --check
changed "the second GPU's table" plots/results/l4/README.md plots/results/l4/README.md 's/1234/1235/'
all_seen
run "$tree/plots/record.sh" --show l4
check "--show" test $status -eq 0
check "--show changes the charts" has "$tree/plots/figures/progression.svg" "NVIDIA L4"
check "--show changes the lessons" has "$tree/steps/06_vectorize/README.md" "     1234  "
check "--show leaves nothing stale" "$tree/plots/record.sh" --check
run "$tree/plots/record.sh" --show none
check "--show of nothing" fails 2 "plots/results/none has no bandwidth.tsv"

sed -i 's/NVIDIA H200/NVIDIA GeForce RTX 1/' "$good"/sizes.tsv
run "$tree/plots/record.sh" "$good"
check "files of two GPUs are refused" fails 2 "another GPU"
rm "$good"/sizes.tsv "$good"/bandwidth.tsv
run "$tree/plots/record.sh" "$good"
check "counts of a CPU run" diff <("$plots/tables.py" counts "$good/counts.tsv") <("$plots/tables.py" counts "$tree/plots/results/cpu/counts.tsv")
check "a row per launch" test "$(grep -cP "^02_smem\ttile32\t" "$tree/plots/results/cpu/counts.tsv")" -eq 1
check "and no lanes" test ! -e "$tree/plots/results/cpu/lanes.tsv"
check "a CPU run leaves the table" test "$(grep -c '](h200/bandwidth.tsv)' "$tree/$results")" -eq 1
finish
