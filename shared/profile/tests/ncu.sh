#!/bin/bash
# count.sh and metrics.sh with a program and an ncu that are made up: which kernels belong to which
# variant, what is asked of ncu, and what is said where something is missing. usage: ncu.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
tools=$root/shared/profile
mkdir "$work/bin"

# The program: three variants (one is a copy that is no kernel, one needs two kernels) among
# the harness's own kernels. It prints what only people read.
cat >"$work/02_step" <<'PROGRAM'
#!/bin/bash
while [ $# -gt 0 ]; do
    case $1 in --rows) rows=$2 ;; --cols) cols=$2 ;; --tsv) tsv=$2 ;; esac
    shift
done
echo "variant  status ok: 7 x 7 floats on a wall"
[ ! -e "${0%/*}/fail" ] || { echo "it differs"; exit 1; }
{
    printf '# gpu: Made-Up GPU, "new" (R)\n# headline 02_step: b compared with a\n'
    printf 'variant\tstatus\trows\tstep\tcols\n'
    printf 'memcpy\tok\t%s\t02_step\t%s\nb\tok\t%s\t02_step\t%s\n' "$rows" "$cols" "$rows" "$cols"
    printf 'never\tskipped\t%s\t02_step\t%s\nc\tok\t%s\t02_step\t%s\n' "$rows" "$cols" "$rows" "$cols"
} >"$tsv"
printf '%s\n' fill_input fill_poison compare compare compare_guards fill_poison 'kernel<(int)4, 2>' compare \
    compare compare_guards fill_poison first second compare compare compare_guards >"$KERNELS"
PROGRAM
# ncu: runs the program and makes up 10 for each metric of its first kernel, 11 for the second, ...
cat >"$work/bin/ncu" <<'NCU'
#!/bin/bash
case $1 in
--version) printf 'NVIDIA (R) Nsight Compute\nVersion 9.9\n'; exit ;;
--query-metrics) printf 'Device X\ndram__bytes_read  Counter\ndram__bytes_write  Counter\n%s\n' "${MORE:-}"; exit ;;
esac
echo "$*" >"$FAKE/arguments"
while [[ $1 = --* ]]; do
    case $1 in
    --metrics) metrics=$2; shift ;;
    --log-file) list=$2; shift ;;
    --print-units | --clock-control | --cache-control) shift ;;
    esac
    shift
done
export KERNELS=$FAKE/kernels
"$@" || exit
[ -z "${FORBIDDEN:-}" ] || { echo "==ERROR== ERR_NVGPUCTRPERM" >"$list"; exit 1; }
{
    echo '==PROF== Connected'
    echo '"ID","Process ID","Kernel Name","Grid Size","Block Size","Metric Name","Metric Unit","Metric Value"'
    id=0
    while IFS= read -r kernel; do
        for metric in ${metrics//,/ }; do
            echo "\"$id\",\"77\",\"$kernel(float *, int)\",\"(1, 2, 3)\",\"(8, 8, 1)\",\"$metric\",\"byte\",\"1,00$((10 + id))\""
        done
        id=$((id + 1))
    done <"$KERNELS"
} >"$list"
NCU
chmod +x "$work/02_step" "$work/bin/ncu"
export FAKE=$work
with_ncu() { PATH=$work/bin:$PATH expect "$@"; }

with_ncu 0 "$tools/count.sh" "$work/02_step" 30 50 "$work/raw.csv"
check 'the GPU, as it is called' grep -qxF '# gpu: Made-Up GPU, "new" (R)' "$work/raw.csv"
check 'the variants that ran' grep -qx '# variants: memcpy b c' "$work/raw.csv"
check 'rows' grep -qx '# rows: 30' "$work/raw.csv"
check 'the names of kernels with a comma' grep -q '^6,"kernel<' "$work/raw.csv"
expect 0 "$tools/counts.sh" "$work/raw.csv"
says "^02_step	memcpy	30	50	global_load	0	0	nan$"
says "^02_step	b	30	50	global_load	10016	10016	nan$"
says "^02_step	c	30	50	shared_store	20043	20043	nan$"
says "^02_step	c	30	50	async_copy_global	20043	40086	nan$"

with_ncu 0 "$tools/metrics.sh" dram --size 64 "$work/dram.tsv" "$work/02_step"
says "no counter dram__cycles_active_write.avg"
check 'ncu is asked for what there is' grep -q -- '--metrics dram__bytes_read.sum,dram__bytes_write.sum ' "$work/arguments"
check 'caches are left alone' grep -q -- '--cache-control none' "$work/arguments"
expect 0 "$root/plots/columns.sh" "$work/dram.tsv" step variant rows cols dram__bytes_read.sum dram__bytes_write.sum dram__cycles_active_read.avg
says "^02_step	b	64	64	10016	10016	nan$"
says "^02_step	c	64	64	20043	20043	nan$"
says "^02_step	memcpy	64	64	nan	nan	nan$"
check 'the DRAM file is well formed' "$root/plots/tables.py" dram "$work/dram.tsv" >"$work/table"
MORE=$(printf 'dram__cycles_active_read Counter\ndram__cycles_active_write Counter') with_ncu 0 \
    "$tools/metrics.sh" dram "$work/all.tsv" "$work/02_step" "$work/02_step"
MORE='lts__t_sectors_srcunit_tex_op_read Counter' with_ncu 0 \
    "$tools/metrics.sh" caches --size 64 "$work/caches.tsv" "$work/02_step"
says "no counter lts__t_sectors_srcunit_tex_op_write.sum"
check 'the command is told' grep -qx '# command: metrics.sh caches --size 64' "$work/caches.tsv"
check 'every counter' grep -qx '02_step	b	32768	32768	10016	10016	10016	10016' "$work/all.tsv"
MORE=$("$tools/ncu.py" stall-metrics | tr , '\n' | sed 's/\.ratio/ Ratio/; s/\.sum/ Counter/') with_ncu 0 "$tools/metrics.sh" stalls "$work/stalls.tsv" "$work/02_step"
check 'stalls of one kernel' grep -qx '02_step	b	8192	8192	1.00\(	10016.00\)\{8\}	-60096.00' "$work/stalls.tsv"
check 'no stalls of two kernels' grep -qx '02_step	c	8192	8192\(	nan\)\{10\}' "$work/stalls.tsv"
expect 0 "$tools/ncu.py" stall-table "$work/stalls.tsv"
says "^b  *1.00  *10016.00   barrier 10016.0, drain 10016.0"
check 'of both programs' test "$(grep -c '^02_step' "$work/all.tsv")" -eq 6

# All steps, and all that is recorded of a GPU, in a small workbook.
book=$work/book
mkdir -p "$book/shared/tests/benchmark" "$book/plots" "$book/steps/02_step" "$work/other"
cp -r "$tools" "$book/shared"
cp "$root/shared/tests/benchmark/measure.sh" "$book/shared/tests/benchmark"
cp "$root"/plots/*.{sh,py} "$book/plots"
cp "$work/02_step" "$book/steps/02_step/step"
printf 'PROGRAM := step\nall: ;\n' >"$book/steps/02_step/Makefile"
ln -s 02_step "$book/steps/02"
with_ncu 0 "$book/shared/profile/count.sh" --all "$work/all"
check 'raw counts' test "$(cd "$work/all/raw" && echo *)" = '02_step_1000x1500.csv 02_step_1024x1024.csv'
check 'the counts of both sizes' test "$(grep -c '^02_step	c	10' "$work/all/counts.tsv")" -eq 12
measure=$book/shared/tests/benchmark/measure.sh
printf '#!/bin/sh\nexit 1\n' >"$work/bin/nvidia-smi"
chmod +x "$work/bin/nvidia-smi"
with_ncu 3 "$measure" "$work/gpu"
printf '#!/bin/sh\necho GPU 0\n' >"$work/bin/nvidia-smi"
(cd "$work/other" && with_ncu 0 "$measure" gpu counts dram; echo $failed >"$work/failed")
failed=$((failed + $(cat "$work/failed")))
check 'counts and DRAM counters, where the caller said' test -s "$work/other/gpu/counts.tsv" -a -s "$work/other/gpu/dram.tsv"
with_ncu 1 "$measure" "$work/gpu" run dram
says 'run ended with 127'
check 'the other parts all the same' test -s "$work/gpu/dram.tsv"
with_ncu 2 "$measure"
with_ncu 2 "$measure" "$work/gpu" dram nothing
says 'no part is called nothing'
rm "$work/bin/nvidia-smi"

touch "$work/fail"
cp "$work/dram.tsv" "$work/kept.tsv"
with_ncu 1 "$tools/metrics.sh" dram "$work/dram.tsv" "$work/02_step"
says 'it differs'
check 'the old file stays' cmp "$work/dram.tsv" "$work/kept.tsv"
with_ncu 1 "$tools/count.sh" "$work/02_step" 30 50 "$work/new.csv"
check 'no file of a failed run' test ! -e "$work/new.csv"
rm "$work/fail"
FORBIDDEN=yes with_ncu 3 "$tools/count.sh" "$work/02_step" 30 50 "$work/new.csv"
says 'no permission to read the counters'

expect 2 "$tools/count.sh" x
expect 2 "$tools/metrics.sh"
expect 2 "$tools/metrics.sh" dram --size none "$work/x.tsv"
if ! command -v ncu >/dev/null; then
    expect 3 "$tools/count.sh" true 4 4 "$work/x.csv"
    says 'Nsight Compute'
    expect 3 "$tools/metrics.sh" dram "$work/x.tsv"
fi

# The scripts know the harness's kernels by name.
for kernel in fill_poison compare; do
    check "the harness has a kernel $kernel" grep -q "__global__ void $kernel(" "$root"/shared/harness/verify.h
done
finish
