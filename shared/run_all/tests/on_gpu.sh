#!/bin/bash
# What run_all.sh does on a GPU, tried with an nvcc and a device that are made up: turns, sizes,
# merging, what is drawn, an old file of results, a size that does not fit. usage: on_gpu.sh
. "$(dirname "$0")/workbook.sh"
make_workbook "$work/book"
out=$work/book/out
printf '#!/bin/sh\necho "GPU 0: made up"\n' >"$work/bin/nvidia-smi"
# A compiler whose programs note how they are called, and write one row.
cat >"$work/bin/nvcc" <<'END'
#!/bin/bash
while [ $# -gt 0 ] && [ "$1" != -o ]; do shift; done
cat >"$2" <<'PROGRAM'
#!/bin/bash
name=$(basename "$PWD/$0") size=32768
echo "$name $*" >>"$FAKE_NOTES"
[ -z "${FAKE_SLEEP:-}" ] || sleep "$FAKE_SLEEP"
[ "${FAKE_STATUS:-0}" -ne 3 ] || exit 3
while [ $# -gt 0 ]; do
    case $1 in
    --size) size=$2 ;;
    --tsv) file=$2 ;;
    esac
    shift
done
{
    printf '# gpu: made up\n# headline %s: v compared with v\n' "$name"
    printf '%s\t' step variant rows cols status time_ms iqr_ms gb_per_s percent_of_copy
    printf '%s\t' percent_of_peak element_bytes batches
    printf 'percent_of_memcpy\n'
    printf '%s\tv\t%s\t%s\tok\t1\t0\t%s\t90\t80\t4\t1\t90\n' "$name" $size $size $RANDOM
} >"$file"
exit "${FAKE_STATUS:-0}"
PROGRAM
chmod +x "$2"
END
chmod +x "$work/bin/nvcc"
export FAKE_NOTES=$work/notes
python=$(command -v python3)
printf '#!/bin/sh\n[ "$1" != -c ] || exit 1\nexec "%s" "$@"\n' "$python" >"$work/bin/python3" # no PyTorch
chmod +x "$work/bin/python3"
# sizes_of FILE: how many sizes it has rows of.
sizes_of() { awk -F'\t' '$2 == "v" && !seen[$3]++ {n++} END {print n + 0}' "$1"; }
printf 'int main() { run_many(); }\n' >"$work/book/steps/02_second/second.cu"
mkdir -p "$out"
printf 'step\told\n' | tee "$out/bandwidth.tsv" >"$out/sizes.tsv"

expect 0 "$work/book/run_all.sh" --quick
check 'one turn of 4096, 3 rounds' \
    [ "$(grep -c '^first .*--rounds 3 .*--size 4096\|^first .*--size 4096 .*--rounds 3' "$work/notes")" -eq 1 ]
check 'bandwidth.tsv has its rows' grep -q '^first	v	4096' "$out/bandwidth.tsv"
check 'the old sizes.tsv stays, and is not drawn' \
    [ "$(cat "$out/sizes.tsv" && grep -c sizes "$out/figures/drawn")" = $'step\told\n0' ]
check 'nothing recorded is drawn' [ ! -e "$out/figures/h200" ]

rm "$work/notes"
expect 0 "$work/book/run_all.sh"
check 'three turns' [ "$(grep -c '^first --tsv' "$work/notes")" -eq 3 ]
check "$(sizes_of "$out/sizes.tsv") sizes in all" [ "$(sizes_of "$out/sizes.tsv")" -eq 8 ]
check 'several GPUs: eight sizes in many.tsv, the turns first, none in bandwidth.tsv' \
    [ "$(sizes_of "$out/many.tsv") $(awk '/^[^#]/ && n++ == 1 {print $3}' "$out/many.tsv") $(
        grep -c '^second' "$out/bandwidth.tsv")" = '8 32768 0' ]
check 'rows of three turns are one' [ "$(grep -c '^first	' "$out/bandwidth.tsv")" -eq 1 ]
check 'headlines of both' [ "$(grep -c '^# headline' "$out/bandwidth.tsv")" -ge 2 ]
says 'run 3 of 3: 02_second (2 of 2)'
says 'size 32768: 02_second (2 of 2)'

expect 0 "$work/book/run_all.sh" --size 1000 --recorded h200
check "$(sizes_of "$out/sizes.tsv") sizes up to 1000" [ "$(sizes_of "$out/sizes.tsv")" -eq 2 ]
check 'what was recorded is drawn too' [ -e "$out/figures/h200/drawn" ]

before=$(print_of "$out")
expect 3 env FAKE_STATUS=3 "$work/book/run_all.sh"
check 'nothing could run: the results changed' [ "$(print_of "$out")" = "$before" ]
expect 1 env FAKE_STATUS=1 "$work/book/run_all.sh" --quick

# Without python3 the results of each program are kept, and can be merged later.
mv "$work/bin/python3" "$work/python3"
expect 0 without_python "$work/book/run_all.sh" --out "$work/unmerged"
says '^python3 is missing, so there are no tables and charts'
check 'no merged file' [ ! -e "$work/unmerged/bandwidth.tsv" ]
check 'three turns of a program and a peer' [ "$(find "$work/unmerged/unmerged/bandwidth" -type f | wc -l)" -eq 6 ]
check 'eight sizes' [ "$(find "$work/unmerged/unmerged/sizes" -type f | wc -l)" -eq 8 ]
check 'several GPUs: three turns and eight sizes' [ "$(find "$work/unmerged/unmerged/many" -type f | wc -l)" -eq 11 ]
mv "$work/python3" "$work/bin/python3"
expect 0 bash -c "cd '$work/book' && $(sed -n 's/^python3 merges the results; once it is installed: \(.*bandwidth.*\)/\1/p' "$work/out")"
check 'merged later' [ "$(grep -c '^first	' "$work/unmerged/bandwidth.tsv")" -eq 1 ]

env FAKE_SLEEP=3 "$work/book/run_all.sh" --quick >"$work/first" 2>&1 &
for ((i = 0; i < 200; i++)); do
    grep -q '^== run' "$work/first" && break
    sleep 0.05
done
expect 1 "$work/book/run_all.sh" --quick --out "$work/other"
says 'another run_all.sh is measuring'
wait $!
finish
