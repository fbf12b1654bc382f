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
awk -F'\t' -v metrics="$metrics" -v most="${FAKE_MOST:-100000}" '
    BEGIN {
        print "==PROF== Connected to process 1"
        print "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\""
        n = split(metrics, metric, ",")
    }
    NR == FNR {
        name[NR] = $2
        at[$2, ++launches[$2]] = NR
        if ($2 ~ /^probe</)
            at["probe<T>", ++launches["probe<T>"]] = NR
        next
    }
    FNR > 1 { requests[at[$1, $2], $5] = $6; work[at[$1, $2], $5] = $7 }
    function figure(l, m) {
        if (m ~ /inst_executed_op_ldgsts/) return requests[l, "async_copy_global"]
        if (m ~ /inst_executed_op_global_ld/) return requests[l, "global_load"]
        if (m ~ /inst_executed_op_global_st/) return requests[l, "global_store"]
        if (m ~ /inst_executed_op_shared_ld/) return requests[l, "shared_load"]
        if (m ~ /inst_executed_op_shared_st/) return requests[l, "shared_store"]
        if (m ~ /ldgsts_cache_access/) return work[l, "async_copy_global"]
        if (m ~ /ldgsts_cache_bypass/) return 0
        if (m ~ /shared_op_ldgsts/) return work[l, "async_copy_shared"]
        if (m ~ /global_op_ld/) return work[l, "global_load"]
        if (m ~ /global_op_st/) return work[l, "global_store"]
        if (m ~ /shared_op_ld/) return work[l, "shared_load"]
        if (m ~ /shared_op_st/) return work[l, "shared_store"]
        return "n/a"
    }
    END {
        for (l = 1; l in name && l <= most; l++)
            for (i = 1; i <= n; i++)
                printf "\"%d\",\"1\",\"void %s(const int *, const T1 *)\",\"%s\",\"\",\"%s\"\n", l - 1, name[l],
                    metric[i], figure(l, metric[i]) + 0
    }' "$log.list" "$log.tsv" >"$log"
SCRIPT
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH
script=$root/shared/profile/probes.sh source=$root/shared/cpucc/tests/counting.cu
out=$work/counts.tsv
launches=$("$probes_program" --list | wc -l)

# A first part, of which the last launches get lost; then the rest.
FAKE_MOST=600 expect 1 "$script" "$source" "$out" 700
says "launches 1 to 700: 600 of 700 counted"
expect 0 "$script" "$source" "$out" 700
says "launches 601 to 700: 100 of 100 counted"
says "^$launches of $launches launches have counts"
expect 0 "$root/shared/cpucc/tests/probes.py" "$probes_program" "$out"
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
says "has the counts of 'A GPU', and this is 'another'"
FAKE_DENIED=1 expect 3 "$script" "$source" "$work/new.tsv"
check 'no file without counts' [ ! -e "$work/new.tsv" ]
expect 2 "$script" "$source"
expect 2 "$script" "$source" "$out" 0
expect 2 "$script" "$work/no.cu" "$out"
rm "$work/bin/ncu"
command -v ncu >/dev/null || expect 3 "$script" "$source" "$out"
finish
