#!/bin/bash
# How fast cpucc compiles and counts: seconds of processor time to compile programs, and counted
# accesses (of one lane each) a second on one core, by a kernel alone and by all variants of a step,
# at 1024 x 1024, their verification included.
#
#   speed.sh [PROGRAM.cu of a step]   prints figures
#   speed.sh --record [RUNS]          measures them so often (3), for step 06; writes the
#                                           least and the most to plots/results/cpu/speed.tsv, and
#                                           the table of cpucc's README. On a quiet machine
#   speed.sh --table                  prints that table
#
# The record's column first_edition is kept. Exit status: 0; 1 a program does not build or run.
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
record=$root/plots/results/cpu/speed.tsv
readme=$root/shared/cpucc/README.md

table() {
    # shellcheck disable=SC2016 # $ is awk's
    awk "$(<"$root/plots/tsv.awk")"'
        BEGIN { print "| | first edition | now |\n| --- | --- | --- |" }
        !/^#/ {
            printf "| %s | %s | %s%s |\n", $at["figure"], $at["first_edition"], $at["least"],
                $at["least"] == $at["most"] ? "" : " to " $at["most"]
        }' "$record"
}

# measure PROGRAM: a line for each figure: its value, a tab, what it is.
measure() {
    local cpucc=$root/shared/cpucc/cpucc seconds name
    name=$(basename "$1")
    "$cpucc" "$here/speed.cu" -o "$work/speed" || return 1 # builds cpucc's tools, if need be
    TIMEFORMAT=$'%U\tseconds of processor time to compile a kernel'
    { time "$cpucc" "$here/speed.cu" -o "$work/speed"; } 2>&1 || return 1
    CPUCC_REPORT=off "$work/speed" | sed 's/ /\t/' || return 1
    TIMEFORMAT=$'%U\tseconds of processor time to compile '"$name"
    { time "$cpucc" -I"$root/shared" "$1" -o "$work/step"; } 2>&1 || return 1
    TIMEFORMAT=%U
    seconds=$({ time "$work/step" --size 1024 --tsv "$work/counts.tsv" >"$work/out" 2>&1; } 2>&1) ||
        { cat "$work/out"; return 1; }
    "$root/plots/columns.sh" "$work/counts.tsv" requests |
        awk -v seconds="$seconds" -v of="$name" '{n += 32 * $1} END {
            printf "%.1f\tmillion counted accesses a second by all of %s\n", n / seconds / 1e6, of
        }'
}

if [ "${1:-}" = --table ]; then
    table
    exit
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
step=$(ls "$root"/steps/06_*/*.cu)
if [ "${1:-}" != --record ]; then
    measure "${1:-$step}" >"$work/figures" || { cat "$work/figures"; exit 1; }
    tr '\t' ' ' <"$work/figures"
    exit
fi
for ((run = 0; run < ${2:-3}; run++)); do
    measure "$step" >>"$work/figures" || { cat "$work/figures"; exit 1; }
done
processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)
{
    echo "# processor: ${processor:-unknown}"
    echo "# date: $(date -u +%FT%TZ)"
    echo "# command: shared/cpucc/tests/speed.sh --record ${2:-3}"
    printf 'figure\tfirst_edition\tleast\tmost\n'
    awk -F '\t' -v OFS='\t' '
        FNR == NR { if (!/^#/) before[$1] = $2; next }
        !($2 in least) { name[++names] = $2; least[$2] = most[$2] = $1 }
        $1 < least[$2] { least[$2] = $1 }
        $1 > most[$2] { most[$2] = $1 }
        END {
            for (i = 1; i <= names; i++)
                print name[i], before[name[i]], least[name[i]], most[name[i]]
        }' "$record" "$work/figures"
} >"$work/record"
cp "$work/record" "$record"
table >"$work/table"
awk -v table="$work/table" '
    /^<!-- speed/ { print; while ((getline line <table) > 0) print line; inside = 1; next }
    /^<!-- end -->$/ { inside = 0 }
    !inside' "$readme" >"$work/readme"
cp "$work/readme" "$readme"
