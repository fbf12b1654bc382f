#!/bin/bash
# The CPU run counts what the counters of each recorded GPU counted, to the last unit. A record may be
# older than the program: variants that the program no longer has are left out. So is what
# counts_differ.txt names, each with the reason; what it names must differ.
# usage: counts.sh STEP PROGRAM first|others
# PROGRAM is the step's program built by cpucc; `first` is the first of the recorded sizes.
. "$(dirname "$0")/../../traffic/tests/checks.sh"
step=$1 program=$2 which=$3

# counts FILE: its rows, without the ideal, which the hardware does not count.
counts() {
    "$root/plots/columns.sh" "$1" step variant rows cols counter requests work | tr '\t' ' ' |
        grep "^$step "
}
for recorded in "$root"/plots/results/*/counts.tsv; do
    grep -qi '^# gpu: no GPU' "$recorded" || counts "$recorded" | sed "s|$| $recorded|"
done | sort >"$work/recorded"
"$program" --list >"$work/variants"
awk 'NR == FNR { has[$1]; next } $2 in has' "$work/variants" "$work/recorded" |
    awk -v known="${COUNTS_DIFFER:-$(dirname "$0")/counts_differ.txt}" -v excused="$work/excused" '
        BEGIN { while ((getline line <known) > 0) if (split(line, f) > 2 && f[1] !~ /^#/) differ[f[1], f[2], f[3]] }
        ($1, $2, $5) in differ { print >excused; next }
        { print }' >"$work/hardware"
touch "$work/excused"
cut -d ' ' -f 3,4 "$work/hardware" | sort -u >"$work/sizes"
if [ "$which" = first ]; then sed -i '2,$d' "$work/sizes"; else sed -i 1d "$work/sizes"; fi

while read -r rows cols; do
    CPUCC_REPORT=tsv CPUCC_REPORT_FILE=$work/launches.tsv \
        expect 0 "$program" --rows "$rows" --cols "$cols" --tsv "$work/counts.tsv"
    # They are equal, so the report doubts none.
    check "counts that may differ: $(grep -v -e $'\t-$' -e ^kernel "$work/launches.tsv" | head -n 5)" \
        [ "$(grep -vc $'\t-$' "$work/launches.tsv")" = 1 ]
    counts "$work/counts.tsv" >"$work/counted"
    awk -v rows="$rows" -v cols="$cols" '
        NR == FNR { counted[$0] = 1; next }
        $3 == rows && $4 == cols {
            gpu = $8
            sub(/ [^ ]*$/, "")
            if (!($0 in counted))
                print gpu ": " $0
        }' "$work/counted" "$work/hardware" >"$work/missing"
    check "recorded, but not what the CPU run counts: $(head -n 5 "$work/missing")" \
        [ ! -s "$work/missing" ]
    awk -v rows="$rows" -v cols="$cols" '
        NR == FNR { counted[$0] = 1; next }
        $3 == rows && $4 == cols {
            sub(/ [^ ]*$/, "")
            if ($0 in counted)
                print
        }' "$work/counted" "$work/excused" >"$work/equal"
    check "named in counts_differ.txt, but no longer different: $(head -n 5 "$work/equal")" \
        [ ! -s "$work/equal" ]
done <"$work/sizes"
[ $passed -gt 0 ] || skip "no recorded counts of $step"
finish
