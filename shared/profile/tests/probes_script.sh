#!/bin/bash
# shared/profile/probes.sh, with stand-ins for nvcc, nvidia-smi and ncu that let cpucc count: it
# writes a row for each launch, goes on where it stopped, and refuses what it should.
#
# usage: probes_script.sh PROGRAM, which is counting.cu built by cpucc
. "$(dirname "$0")/../../traffic/tests/checks.sh"
probes_program=$(realpath "$1")
export probes_program CPUCC_REPORT=off
mkdir "$work/bin"
cat >"$work/bin/nvcc" <<'SCRIPT'
#!/bin/bash
while [ $# -gt 0 ]; do [ "$1" != -o ] || cp "$probes_program" "$2"; shift; done
SCRIPT
cat >"$work/bin/nvidia-smi" <<'SCRIPT'
#!/bin/bash
echo "${FAKE_GPU:-A GPU}"
SCRIPT
cat >"$work/bin/ncu" <<'SCRIPT'
#!/bin/bash
[ "$1" != --version ] || { echo 'Version 1.2.3'; exit; }
while [ $# -gt 0 ]; do
    case $1 in
    --log-file) log=$2 && shift ;;
    --metrics) metrics=$2 && shift ;;
    --*) ;;
    /*) break ;;
    esac
    shift
done
[ -z "${FAKE_DENIED:-}" ] || { echo '==ERROR== ERR_NVGPUCTRPERM' >"$log"; exit 1; }
CPUCC_REPORT=tsv CPUCC_REPORT_FILE=$log.tsv "$@" >"$log.list" || exit
cat "$log.list"
python3 - "$log.list" "$log.tsv" "$metrics" "${FAKE_MOST:-100000}" >"$log" <<'END'
import collections
import sys

# A metric's figure: the first pattern in its name, the counter, and the column of cpucc's report.
FIGURES = [("inst_executed_op_ldgsts", "async_copy_global", 5), ("inst_executed_op_global_ld", "global_load", 5),
           ("inst_executed_op_global_st", "global_store", 5), ("inst_executed_op_shared_ld", "shared_load", 5),
           ("inst_executed_op_shared_st", "shared_store", 5), ("ldgsts_cache_access", "async_copy_global", 6),
           ("ldgsts_cache_bypass", "", 6), ("shared_op_ldgsts", "async_copy_shared", 6),
           ("global_op_ld", "global_load", 6), ("global_op_st", "global_store", 6),
           ("shared_op_ld", "shared_load", 6), ("shared_op_st", "shared_store", 6)]
names, numbers, times = [], {}, collections.Counter()
for number, line in enumerate(open(sys.argv[1])):
    names.append(line.split("\t")[1])
    for name in [names[-1]] + ["probe<T>"] * names[-1].startswith("probe<"):
        times[name] += 1
        numbers[name, str(times[name])] = number
figures = {}
for line in list(open(sys.argv[2]))[1:]:
    row = line.rstrip("\n").split("\t")
    figures[numbers.get((row[0], row[1])), row[4]] = row
print("==PROF== Connected to process 1")
print('"ID","Process ID","Kernel Name","Metric Name","Metric Unit","Metric Value"')
for number, name in enumerate(names[:int(sys.argv[4])]):
    for metric in sys.argv[3].split(","):
        _, counter, column = next(figure for figure in FIGURES if figure[0] in metric)
        row = figures.get((number, counter))
        print('"%d","1","void %s(const int *, const T1 *)","%s","","%s"'
              % (number, name, metric, row[column] if row else 0))
END
SCRIPT
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH
script=$shared/profile/probes.sh source=$shared/cpucc/tests/counting.cu
out=$work/counts.tsv
launches=$("$probes_program" --list | wc -l)

# A first part whose last launches get lost; then the rest.
FAKE_MOST=600 expect 1 "$script" "$source" "$out" 700
says "launches 1 to 700: 600 of 700 counted"
expect 0 "$script" "$source" "$out" 700
says "launches 601 to 700: 100 of 100 counted"
says "^$launches of $launches launches have counts"
expect 0 "$shared/cpucc/tests/probes.py" "$probes_program" "$out"
says " 0 different ($launches launches; 0 more"

# Nothing is left to do; rows that were lost come back, in their places.
cp "$out" "$work/whole.tsv"
expect 0 "$script" "$source" "$out"
check 'nothing is repeated' bash -c "! grep -q ' to ' '$work/out'"
sed '9d;300,310d' "$work/whole.tsv" >"$out"
expect 0 "$script" "$source" "$out"
check 'lost rows come back' cmp -s <(grep -v '^# date' "$out") <(grep -v '^# date' "$work/whole.tsv")

# What was not measured once stays nan; columns may be in any order.
awk -F'\t' -v OFS='\t' '/^#/ {print; next} {t = $1; $1 = $2; $2 = t; print}' "$work/whole.tsv" |
    cut -f1-12 | sed 20d >"$out"
expect 0 "$script" "$source" "$out"
check 'columns by name' cmp -s <(cut -f1-12 "$out" | grep -v '^# date') <(cut -f1-12 "$work/whole.tsv" | grep -v '^# date')
check 'nan' grep -q 'nan$' "$out"

FAKE_GPU=another expect 2 "$script" "$source" "$out"
says "has counts of 'A GPU', but this GPU is 'another'"
FAKE_DENIED=1 expect 3 "$script" "$source" "$work/new.tsv"
check 'no file without counts' [ ! -e "$work/new.tsv" ]
expect 2 "$script" "$source"
expect 2 "$script" "$source" "$out" 0
expect 2 "$script" "$work/no.cu" "$out"
rm "$work/bin/ncu"
command -v ncu >/dev/null || expect 3 "$script" "$source" "$out"
finish
