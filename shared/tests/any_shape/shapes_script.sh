#!/bin/bash
# Tests benchmark/shapes.sh with a made-up compiler, device and PyTorch: the options that each program gets, and
# the results if a peer (a library's transpose) fails, dies or does not answer, or if the run is interrupted.
# usage: shapes_script.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
book=$work/book
mkdir -p "$book/shared/tests/benchmark" "$book/shared/peers" "$work/bin"
cp "$root"/shared/tests/benchmark/{shapes.sh,shapes.py,common.sh} "$book/shared/tests/benchmark"
mkdir "$book/plots" && find "$root/plots" -maxdepth 1 -type f -exec cp -t "$book/plots" {} +
for step in 04_a_b 05_b 06_c 07_d 08_any; do
    mkdir -p "$book/steps/$step"
    printf 'PROGRAM := program\nall: ; nvcc -o program\n' >"$book/steps/$step/Makefile"
done
cat >"$work/bin/nvidia-smi" <<'END'
#!/bin/sh
case $1 in -L) echo "GPU 0: made up" ;; *) echo "made up" ;; esac
END
# A program that notes its arguments and writes a row for each variant.
cat >"$work/bin/rows" <<'END'
#!/bin/bash
echo "$*" >>"$FAKE_NOTES"
step=$1 && shift
bytes=4 batches=1 variants=()
while [ $# -gt 0 ]; do
    case $1 in
    --rows) rows=$2 ;;
    --cols) cols=$2 ;;
    --element-bytes) bytes=$2 ;;
    --batches) batches=$2 ;;
    --variant) variants+=("$2") ;;
    --tsv) file=$2 ;;
    esac
    shift 2
done
[ "$rows $step" != "${FAKE_CRASH:-}" ] || exit 1
[ "$rows $step" != "${FAKE_ABSENT:-}" ] || { echo "too little memory" >&2; exit 3; }
[ "$rows" != "${FAKE_SLOW:-}" ] || sleep 8
{
    printf '# gpu: made up\n# date: now\n# command: x\n'
    printf '%s\t' step variant rows cols status time_ms iqr_ms gb_per_s percent_of_copy percent_of_peak
    printf 'element_bytes\tbatches\tpercent_of_memcpy\n'
    for variant in "${variants[@]:-transpose}" ceiling; do
        printf '%s\t' "$step" "$variant" "$rows" "$cols" ok 1 0 "$RANDOM" 90 80 "$bytes" "$batches"
        printf '90\n'
    done
} >"$file"
END
cat >"$work/bin/nvcc" <<'END'
#!/bin/bash
case "$*" in *cutensor*) echo "no cutensor.h" >&2 && exit 1 ;; esac
step=${PWD##*/}
while [ "$1" != -o ]; do shift; done
case $2 in *geam) step="peers --variant cublas_geam" ;; esac
printf '#!/bin/sh\nexec rows %s "$@"\n' "$step" >"$2"
chmod +x "$2"
END
cat >"$work/bin/python3" <<'END'
#!/bin/bash
case $1 in -c) exit "${FAKE_NO_TORCH:-0}" ;; *torch_transpose.py) ;; *) PATH=$REAL_PATH exec python3 "$@" ;; esac
if [ "$2" = --prepare ]; then
    sed 's/^/prepare /' >>"$FAKE_NOTES"
    exit
fi
echo serve >>"$FAKE_NOTES"
while read -r line; do
    case $line in
    "--rows ${FAKE_DIES:-none} "*) exit 1 ;;
    "--rows ${FAKE_FAILS:-none} "*) echo "out of memory" >&2 && echo "status 1" && continue ;;
    esac
    echo "a table"
    # shellcheck disable=SC2086
    rows peers --variant torch_copy --variant torch_contiguous --variant torch_compiled $line
    echo "status $?"
done
END
chmod +x "$work/bin/nvidia-smi" "$work/bin/rows" "$work/bin/nvcc" "$work/bin/python3"
export FAKE_NOTES=$work/notes REAL_PATH=$PATH PATH=$work/bin:$PATH
shapes=$book/shared/tests/benchmark/shapes.sh out=$work/out.tsv
three=(--shape "4 1 100 101" --shape "2 3 7 5" --shape "8 6000 4096 4096")

# has STEP VARIANT "STATUS ROWS,...": the rows of this variant in the file have these statuses and matrix rows.
has() {
    local found
    found=$(PATH=$REAL_PATH "$root/plots/columns.sh" "$out" step variant status rows |
        sed -n "s/^$1\t$2\t\(.*\)\t/\1 /p" | tr '\n' ,)
    check "$1 $2: $found, not $3" [ "$found" = "$3" ]
}

expect 0 "$shapes" "${three[@]}" "$out"
has 08_any transpose 'ok 100,ok 7,ok 4096,'
has peers cublas_geam 'ok 100,'
has peers torch_compiled 'ok 100,ok 7,ok 4096,'
check 'one process of PyTorch, and all shapes prepared' \
    [ "$(grep -c '^serve' "$work/notes") $(grep -c '^prepare' "$work/notes")" = '1 3' ]
check 'all steps on the small matrix of floats' [ "$(grep -c '^0[4-7]' "$work/notes")" = 4 ]
says 'cuTENSOR is not installed: skipped'
says '^ 4 B       1 x (100 x 101)  *90.0'
says 'run 1: 2 B, 3 x (7 x 5):  transpose 90.0  torch_contiguous 90.0'
check 'the command' grep -q '^# command: shapes.sh --shape 4 1 100 101' "$out"

rm "$work/notes"
expect 0 env FAKE_DIES=7 FAKE_CRASH="100 peers" "$shapes" "${three[@]}" "$out"
has peers cublas_geam 'failed 100,'
has peers torch_compiled 'failed 100,failed 7,ok 4096,'
check 'another process of PyTorch' [ "$(grep -c '^serve' "$work/notes")" = 2 ]
says "PyTorch's process does not answer"
expect 0 env FAKE_FAILS=100 "$shapes" "${three[@]}" "$out"
has peers torch_max_autotune 'failed 100,'
expect 1 env FAKE_CRASH="7 08_any" "$shapes" "${three[@]}" "$out"
has 08_any transpose 'ok 100,failed 7,ok 4096,'
expect 0 env FAKE_ABSENT="100 08_any" "$shapes" "${three[@]}" "$out"
has 08_any transpose 'skipped 100,ok 7,ok 4096,'

rm "$work/notes"
expect 0 env FAKE_NO_TORCH=1 "$shapes" --turns 2 --part 2/2 "${three[@]}" "$out"
has 08_any transpose 'ok 7,' # two turns are one row
check 'no PyTorch' not grep -q serve "$work/notes"
rm "$work/notes"
expect 0 "$shapes" --ours "${three[@]}" "$out"
check 'no peers' not grep -qE 'serve|peers|prepare' "$work/notes"
expect 2 "$shapes" --shape "3 1 4 4"
expect 2 "$shapes" --part 3/2
expect 2 "$shapes" --only "17 B"
expect 2 "$shapes" "$work"

# A run that is ended early has written the results up to then.
rm "$out"
rm -f "$work/notes"
FAKE_SLOW=4096 timeout 60 "$shapes" "${three[@]}" "$out" >"$work/log" 2>&1 &
for ((i = 0; i < 600; i++)); do
    ! grep -qs '^08_any.* --rows 4096 ' "$work/notes" || break
    sleep 0.1
done
kill $! # timeout hands it on to all that it has started
wait $!
has 08_any transpose 'ok 100,ok 7,'
finish
