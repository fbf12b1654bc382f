#!/bin/bash
# The layout bench shows what the program `layout` prints: 300 generated layouts, swizzles and accesses,
# their sums, every cell of the tile, every pile of a request; and 300 commands, to the letter.
# usage: bench.sh BROWSE FOLDER LAYOUT
. "$(dirname "$0")/browser.sh"
layout=$3
find_browser
grep -q layoutBase64 "$book/bench.html" 2>/dev/null || { skip 'the book has no bench'; finish; }
here=$(dirname "$0")
count=300

# ---- what the program says ----
awk -v seed=1 -v count=$count -v what=states -f "$here/bench.awk" >"$work/states"
number=0
while IFS=$'\t' read -r tile swizzle bytes vector access memory store request; do
    echo "state $((number % 25))"
    number=$((number + 1))
    [ "$swizzle" = - ] || tile="Sw<$swizzle> o 0 o $tile"
    options=(--bytes "$bytes" --vector "$vector" --access "$access")
    [ "$store" = 0 ] || options+=(--store)
    command=banks
    [ "$memory" = shared ] || command=sectors
    if ! "$layout" $command "$tile" "${options[@]}" >"$work/said" 2>"$work/refused"; then
        sed -n '1s/^/trouble /p' "$work/refused"
        continue
    fi
    sum=$(sed -n 's/.*requests \([0-9]*\), [a-z]* \([0-9]*\), ideal \([0-9]*\).*/\1 \2 \3/p' "$work/said" | head -n 1)
    echo "sum $sum"
    "$layout" banks "$tile" "${options[@]}" --tsv | awk '/^[0-9]/ && $1 < 64 && $2 < 64 {print "cell", $1, $2, $3, $4}'
    [ "$request" -lt "${sum%% *}" ] || request=$((${sum%% *} - 1))
    global=()
    [ "$memory" = shared ] || global=(--global)
    "$layout" requests "$tile" "${options[@]}" --request "$request" "${global[@]}" | awk -v memory="$memory" '
        NR == 1 { next }
        {
            key = memory == "global" ? $9 : sprintf("%d %d %d", $8, $10, $11)
            if (!(key in lanes)) { order[++n] = key; lanes[key] = $3 } else lanes[key] = lanes[key] "+" $3
        }
        END {
            for (i = 1; i <= n; i++) {
                split(order[i], part, " ")
                if (memory == "global") print "sector", order[i], lanes[order[i]]
                else print "pile", part[1], part[2], part[3], lanes[order[i]]
            }
        }'
done <"$work/states" >"$work/program"

# ---- what the page shows ----
awk -F '\t' -v q='"' '{
    printf "%s%slayout=%s&swizzle=%s&bytes=%s&vector=%s&access=%s&memory=%s&store=%s&request=%s%s",
        (NR % 25 == 1 ? "\n" : ","), q, $1, ($2 == "-" ? "" : $2), $3, $4, $5, $6, $7, $8, q
}' "$work/states" >"$work/json"
{
    echo "open file://$book/bench.html"
    while IFS= read -r some; do
        echo "eval $(grep -v '^ *\*\|^/\*' "$here/read_bench.js" | tr '\n' ' ')([$some])"
    done < <(sed 1d "$work/json" && echo)
} | drive
# Of one state piles and sectors in any order.
sorted() { awk '/^state/ {n++} {printf "%d\t%s\n", n, $0}' "$1" | LC_ALL=C sort -s -k1,1n -k2; }
check 'few states were accepted' [ "$(grep -c '^sum' "$work/program")" -gt 150 ]
check 'none was refused' grep -q '^trouble' "$work/program"
if diff <(sorted "$work/program") <(sorted "$work/out") >"$work/differs"; then
    pass
else
    fail "the page differs from the program: $(head -n 6 "$work/differs")"
fi
echo "$count states, $(grep -c '^cell' "$work/out") cells, $(grep -c '^pile' "$work/out") piles," \
    "$(grep -c '^sector' "$work/out") sectors"

# ---- commands ----
awk -v seed=2 -v count=$count -v what=commands -f "$here/bench.awk" >"$work/commands"
while IFS=$'\t' read -ra words; do
    "$layout" "${words[@]}" 2>&1
    echo "status $?"
done <"$work/commands" >"$work/program"
awk -F '\t' -v q='"' '{
    printf "%s[", (NR > 1 ? "," : "")
    for (i = 1; i <= NF; i++) printf "%s%s%s%s", (i > 1 ? "," : ""), q, $i, q
    printf "]"
}' "$work/commands" >"$work/json"
{
    echo "open file://$book/bench.html"
    printf '%s %s %s %s\n' \
        "eval (async (all) => { const program = layoutProgram(layoutBase64, 20000); let text = '';" \
        "for (const words of all) { const said = await program.run(words);" \
        "text += said.out + said.err + 'status ' + said.status + '\\n'; } return text.trimEnd(); })" \
        "([$(cat "$work/json")])"
} | drive
if cmp -s "$work/program" "$work/out"; then
    pass
else
    fail "the page's program differs: $(diff "$work/program" "$work/out" | head -n 6)"
fi
finish
