#!/bin/bash
# What the harness promises a step: its limits, what it refuses, when it prepares, how it times and
# what its TSV file holds. usage: contract.sh [WATCHED MEASURED]: contract.cu built by cpucc as it
# is, and with -Ishared/harness/tests/hooks first; without them both are built here.
set -u
unset CDPATH
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../../traffic/tests/checks.sh
. "$here/../../traffic/tests/checks.sh"

watched=${1:-$work/watched} measured=${2:-$work/measured}
if [ $# -lt 2 ]; then
    cpucc=$root/shared/cpucc/cpucc
    if ! "$cpucc" --version >"$work/version" 2>&1; then
        skip "no clang"
        finish
    fi
    expect 0 "$cpucc" -I"$root/shared" "$here/contract.cu" -o "$watched"
    expect 0 "$cpucc" -I"$here/hooks" -I"$root/shared" "$here/contract.cu" -o "$measured"
    [ $failed -eq 0 ] || finish
fi
export CONTRACT_NOTES=$work/notes CPUCC_REPORT=off

# refused STATUS PATTERN COMMAND...: one line on standard error that matches, nothing else printed.
refused() {
    local status=$1 pattern=$2
    shift 2
    expect "$status" "$@"
    check "$*: more than one line" [ "$(wc -l <"$work/err") $(wc -c <"$work/out")" = "1 0" ]
    check "$*: said $(cat "$work/err")" grep -qxe "$pattern" "$work/err"
}

# ---- the table of variants ----
for program in "$watched" "$measured"; do
    expect 0 env CONTRACT_COUNT=32 "$program" --size 8 --verify-only
    for count in 33 40 100; do
        refused 2 "contract: $count variants; the harness takes at most 32 .*" \
            env CONTRACT_COUNT=$count "$program" --size 8
        refused 2 "contract: $count variants; .*" env CONTRACT_COUNT=$count "$program" --list
    done
    refused 2 'contract: the headline nonesuch is none of its variants' \
        env CONTRACT_HEADLINE=nonesuch "$program" --size 8
done

# ---- sizes that a variant cannot take ----
for program in "$watched" "$measured"; do
    expect 0 "$program" --rows 65535 --cols 1 --variant one_row_a_block --verify-only
    refused 2 '--variant one_row_a_block: cannot run at 65536 x 1: at most 65535 rows, .*' \
        "$program" --rows 65536 --cols 1 --variant one_row_a_block
    refused 2 '--variant even: cannot run at 3 x 8: rows and cols must be multiples of 2' \
        "$program" --rows 3 --cols 8 --variant even
    expect 0 "$program" --rows 65537 --cols 1 --verify-only
    says '^one_row_a_block skipped: at most 65535 rows, because gridDim.y ends at 65535$'
    says '^even skipped: rows and cols must be multiples of 2$'
    says '^plain  *\(ok\|yes\)'
    expect 0 env CONTRACT_FIRST=1 CONTRACT_COUNT=1 "$program" --rows 65537 --cols 1
    says '^every variant was skipped: nothing was verified or measured$'
done

# ---- tensor maps: the size of an element, and the alignment of a matrix with a swizzle ----
map() { env CONTRACT_MAP="$1" CONTRACT_BYTES="$2" CONTRACT_SWIZZLE="$3" "$watched"; }
for swizzle in 1 2 3; do
    expect 0 map 0x1080 4 $swizzle
    refused 1 'tensor_map: a matrix at 0x10c0; with a swizzle it must be aligned to 128 bytes' \
        map 0x10c0 4 $swizzle
done
expect 0 map 0x1010 4 0
expect 1 map 0x1008 4 0
refused 1 'tensor_map: elements of 16 bytes; TMA has 1, 2, 4 and 8' map 0x1080 16 0

# ---- hooks ----
expect 0 "$watched" --size 8
says '^contract: 8 x 8 floats on the CPU$'
expect 0 "$measured" --size 8 --verify-only
says '^contract: 8 x 8 floats on a machine of the hooks$'
check "hooks stand around each verifying launch alone: $(cat "$work/notes")" \
    [ "$(tr -d '\n' <"$work/notes")" = \
    "start (a)sync first-row(b)sync row(c)sync rowp(d)sync rowp(e)sync row" ]
expect 1 env CONTRACT_FAULT=1 "$measured" --size 8 --variant plain
says '^plain  *failed'
expect 1 env CONTRACT_BAD_END=1 "$measured" --size 8 --variant plain

# ---- preparing and timing: all samples of all contenders, in turns ----
samples() { sed -n '/^sync reset/p' "$work/notes"; }
expect 0 "$measured" --size 8 --rounds 3 --tsv "$work/measured.tsv"
check "each variant is prepared once: $(tr -d '\n' <"$work/notes" | cut -c-80)" \
    [ "$(tr -cd p <"$work/notes")" = pp ]
check "nothing is prepared or timed outside a sample, but before a verification" awk '
    /[pm<>]/ && !/^sync reset/ { gsub(/p\([de]\)|rowp/, ""); bad += /[pm<>]/ }
    END { exit bad > 0 }' "$work/notes"
samples | sed 's/^sync reset //' >"$work/samples"
check "a sample is one untimed launch, then launches of the same between two events: $(
    grep -vxE '([a-em]?)<\1+>' "$work/samples" | head -3 | cut -c-60)" \
    [ "$(grep -cvxE '([a-em]?)<\1+>' "$work/samples")" = 0 ]
cut -c1 "$work/samples" | tail -n 21 | tr -d '\n' >"$work/turns"
check "three rounds of seven contenders in turns: $(cat "$work/turns")" \
    grep -qxE '(m<abcde){3}' "$work/turns"
# 8 launches of 0.25 ms are the first power of two that lasts a millisecond.
check "a sample lasts a millisecond: $(tail -n 7 "$work/samples" | paste -sd' ')" \
    [ "$(tail -n 7 "$work/samples" | paste -sd' ')" = \
    "m<m> <> a<aaaaaaaa> b<bbbbbbbb> c<cccccccc> d<dddddddd> e<eeeeeeee>" ]

# ---- what cannot be reset is no failure ----
cp "$work/notes" "$work/notes.before"
expect 0 env CONTRACT_REFUSE_RESET=1 "$measured" --size 8 --rounds 2 --variant plain
says '^cudaCtxResetPersistingL2Cache: .*depend'
check "it is said once" [ "$(wc -l <"$work/err")" = 1 ]
check "and not tried again" [ "$(grep -c reset "$work/notes")" = 1 ]

# ---- the TSV file ----
columns="step variant rows cols status time_ms iqr_ms gb_per_s percent_of_copy percent_of_peak"
columns="$columns element_bytes batches percent_of_memcpy gpus"
check "columns: $(grep -v '^#' "$work/measured.tsv" | head -1)" \
    [ "$(grep -v '^#' "$work/measured.tsv" | head -1 | tr '\t' ' ')" = "$columns" ]
expect 0 "$measured" --rows 200 --cols 100 --rounds 5 --tsv "$work/values.tsv"
check "the table is wider than 100 columns" [ "$(wc -L <"$work/out")" -le 100 ]
check "figures" python3 "$here/figures.py" "$work/values.tsv"
headline='# headline contract: plain compared with even'
check "the headline's line" grep -qx "$headline" "$work/values.tsv"
expect 0 env CONTRACT_HEADLINE= "$measured" --size 8 --verify-only --tsv "$work/none.tsv"
check "no headline, no line" [ "$(grep -c headline "$work/none.tsv")" = 0 ]
expect 0 "$watched" --size 8 --tsv "$work/counts.tsv"
check "the counts' headline" grep -qx "$headline" "$work/counts.tsv"

# Verifying alone: which variants ran, in their order, without figures.
expect 0 "$measured" --rows 8 --cols 7 --verify-only --tsv "$work/verified.tsv"
check "rows of a run that only verifies" [ "$(grep -v '^#' "$work/verified.tsv" | cut -f2,5,6 |
    tail -n +2 | tr '\t\n' ' ;')" = "plain ok nan;one_row_a_block ok nan;even skipped nan;$(
    )prepared ok nan;prepared_too ok nan;" ]
finish
