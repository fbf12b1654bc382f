#!/bin/bash
# Every check of cpucc that needs neither nvcc nor a GPU: counting rules against hand-worked figures
# and against the H200's own counts, the language, faults, refusals, all variants of all steps at
# ragged sizes, and the speed. With every clang that is installed, 14 and newer.
#
# usage: run.sh    prints what fails; the last line is `N passed, N failed`; exit status 0 or 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
cpucc=$root/shared/cpucc/cpucc
recorded=$root/plots/results/h200
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
cd "$work" || exit 1

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }
build() { # SOURCE PROGRAM
    "$cpucc" -I"$root/shared" "$1" -o "$work/$2" 2>"$work/$2.err" || { fail "$2 does not compile"; head -5 "$work/$2.err"; return 1; }
}
counted() { # "N passed, N failed" of another script
    "$@" >"$work/script.out" 2>&1
    grep -v ' passed, ' "$work/script.out" | sed 's/^/  /'
    local line; line=$(tail -1 "$work/script.out")
    passed=$((passed + ${line%% passed*})) line=${line#*, }
    failed=$((failed + ${line%% failed*}))
}

# The hand-worked counts and the language, with every compiler.
seen=
for compiler in clang++ clang++-14 clang++-15 clang++-16 clang++-17 clang++-18 clang++-19; do
    command -v $compiler >/dev/null || continue
    version=$($compiler --version | head -1)
    case $seen in *"$version"*) continue ;; esac
    seen="$seen|$version"
    export CLANGXX=$compiler
    if build "$here/counts.cu" counts; then
        CPUCC_REPORT=tsv CPUCC_REPORT_FILE=counts.tsv ./counts
        awk '/EXPECT [a-z0-9]/ && NF >= 5 {sub(/.*EXPECT /, ""); print $1 "\t" $2 "\t" $3 "\t" $4}' "$here/counts.cu" | sort >expected
        awk -F'\t' 'NR > 1 {print $1 "\t" $5 "\t" $6 "\t" $7}' counts.tsv | sort >found
        while IFS= read -r line; do
            if grep -qxF "$line" found; then pass; else fail "$compiler: counts.cu: expected $line, found $(grep "^${line%	*	*}	" found)"; fi
        done <expected
        if [ "$(wc -l <expected)" = "$(wc -l <found)" ]; then pass; else fail "$compiler: counters that counts.cu does not expect: $(comm -13 expected found | head -3)"; fi
    fi
    if build "$here/language.cu" language; then
        if CPUCC_REPORT=off timeout 60 ./language >language.out 2>&1; then pass; else fail "$compiler: language.cu"; head -5 language.out; fi
    fi
    if build "$here/guide_tma.cu" guide_tma; then
        CPUCC_REPORT=tsv ./guide_tma >guide.out 2>&1
        if grep -q transposed guide.out && grep -q 'shared_load	8	8	8$' guide.out && grep -q 'shared_store	8	8	8$' guide.out; then
            pass
        else
            fail "$compiler: guide_tma.cu"
        fi
    fi
done
unset CLANGXX

counted "$here/refused.sh"
counted "$here/broken.sh"

# Every variant of every step: verified, no fault, and the counts of the H200 where recorded.
steps=$(cd "$root/steps" && for d in */; do [ -L "${d%/}" ] || echo "${d%/}"; done)
for step in $steps; do
    source=$(ls "$root/steps/$step"/*.cu | head -1)
    build "$source" "$step" || continue
    for size in '1 1' '31 33' '64 64' '100 60' '257 129'; do
        read -r rows cols <<<"$size"
        if ./"$step" --rows "$rows" --cols "$cols" >run.out 2>&1 && ! grep -q 'fault:' run.out; then
            pass
        else
            fail "$step at $rows x $cols: $(grep -m1 -E 'fault:|differ|error' run.out)"
        fi
    done
    [ -f "$recorded/counts.tsv" ] || continue
    awk -F'\t' -v s="$step" '$1 == s {print $3 " " $4}' "$recorded/counts.tsv" | sort -u >sizes
    while read -r rows cols; do
        ./"$step" --rows "$rows" --cols "$cols" --tsv cpu.tsv >run.out 2>&1 || fail "$step at $rows x $cols"
        awk -F'\t' -v s="$step" -v r="$rows" -v c="$cols" '
            $1 != s || $3 != r || $4 != c {next}
            FNR == NR {cpu[$2 FS $5] = $6 FS $7; next}
            {checked++; if (cpu[$2 FS $5] != $6 FS $7) {print s, $2, r "x" c, $5 ": cpucc", cpu[$2 FS $5], "H200", $6, $7}}
            END {if (!checked) print s, "no rows to compare"; print checked + 0 > "checked"}' \
            cpu.tsv "$recorded/counts.tsv" >different
        if [ -s different ]; then fail "counts of $step at $rows x $cols"; head -5 different; else pass; fi
        [ "$(cat checked)" -gt 0 ] || fail "$step at $rows x $cols: nothing was compared"
    done <sizes
done

# The access patterns of counting.cu, launch by launch, against the H200.
if [ -f "$recorded/raw/counting.csv" ] && build "$here/counting.cu" counting; then
    CPUCC_REPORT=tsv CPUCC_REPORT_FILE=probes.tsv ./counting >probes.list 2>run.out || fail "counting.cu: $(head -1 run.out)"
    if awk -f "$here/probes.awk" "$recorded/raw/counting.csv" probes.list probes.tsv >run.out; then pass; else fail "counting.cu"; fi
    tail -6 run.out
fi

build "$here/bench.cu" bench && { CPUCC_REPORT=off ./bench && pass || fail "bench"; }
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
