#!/bin/bash
# A file of small programs (order/order.h): each correct one brings no fault, each faulty one the
# declared fault or remark at the declared line. usage: order.sh FILE.cu
. "$(dirname "$0")/../../traffic/tests/checks.sh"
source=$1
export CPUCC_REPORT=off CPUCC_FAULTS_FILE=$work/faults CPUCC_PATIENCE=1

expect 0 "$root/shared/cpucc/cpucc" -I"$root/shared" "$source" -o "$work/program"
[ -x "$work/program" ] || finish

# One line for each program: its name, then what is declared as level:kind:line.
awk '/^\/\/\/\/ / { if (name) print name, marks; name = $2; marks = "" }
    {
        rest = $0
        while (match(rest, /(FAULT|REMARK): [a-z_]+/)) {
            split(substr(rest, RSTART, RLENGTH), word, ": ")
            # a comment of its own is about the next line
            marks = marks " " tolower(word[1]) ":" word[2] ":" FNR + ($0 ~ /^ *\/\*/)
            rest = substr(rest, RSTART + RLENGTH)
        }
    }
    END { print name, marks }' "$source" >"$work/programs"

# One line for each report: level:kind:line.
reported() {
    awk -F '\t' 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["level"] ":" $at["kind"] ":" $at["line"] }' "$work/faults" | sort -u
}

while read -r name marks; do
    rm -f "$work/faults"
    timeout 120 "$work/program" "$name" >"$work/out" 2>"$work/err"
    status=$?
    [ $status -le 1 ] || fail "$name ended with status $status"
    : >>"$work/faults"
    reported >"$work/reported"
    tr ' ' '\n' <<<"$marks" | sed '/^$/d' | sort -u >"$work/declared"
    # One mistake may show as several races; a correct program shows none, and no remark.
    if [ -s "$work/declared" ]; then
        missing=$(comm -23 "$work/declared" "$work/reported")
    else
        missing=$(cat "$work/reported")
    fi
    if ! grep -q fault "$work/declared" && grep -q fault "$work/reported"; then
        missing=$(grep fault "$work/reported")
    fi
    if [ -z "$missing" ]; then
        pass
    else
        fail "$name: declared $(tr '\n' ' ' <"$work/declared"), reported" \
            "$(tr '\n' ' ' <"$work/reported")"
        cat "$work/err"
    fi
done <"$work/programs"
finish
