#!/bin/bash
# --grade that is interrupted, by a signal or by the power, goes on where it was, and ends with the marks
# that it would have given. usage: resumed.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

mkdir "$work"/{anna,ben}
names=(naive1_turn naive2_edge naive4_stores)
for name in "${names[@]}"; do
    cp "$originals/$name/solution.cu" "$work/anna/$name.cu"
    sed '1i // of Ben' "$originals/$name/solution.cu" >"$work/ben/$name.cu"
done
grades=$book/out/exercises/grades.tsv
kept() { find out/exercises/kept -name '*.cu' 2>/dev/null | sort; }
goes_on() { find /proc/[0-9]*/exe -lname "$TMPDIR/*" 2>/dev/null | grep -q .; }
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
set -m # otherwise a command started with & ignores SIGINT

# ended SIGNAL: --grade, and the signal when one more answer has been judged.
ended() {
    local before pid
    before=$(kept | wc -l)
    ./run_all.sh --grade "$work"/{anna,ben} >"$work/said" 2>&1 &
    pid=$!
    while [ "$(kept | wc -l)" -le "$before" ] && kill -0 $pid 2>/dev/null; do sleep 0.02; done
    check "$1 comes while it works" kill "-$1" $pid
    wait $pid
    for _ in $(seq 100); do goes_on || break; sleep 0.1; done
    check "after $1 something goes on" not goes_on
}
ended INT
check 'what was judged is kept' [ -n "$(kept)" ]
ended KILL
# One that would go on for a minute, if nobody ended it.
mkdir "$work/loops"
sed '/^static void launch/,/^}/s/^{/{\n    for (volatile int i = 0; i < 2; i = 0) { }/' \
    "$originals/naive4_stores/solution.cu" >"$work/loops/naive4_stores.cu"
EXERCISE_SECONDS=60 ./run_all.sh --grade "$work/loops" >"$work/said" 2>&1 &
pid=$!
until [ -n "$(find /proc/[0-9]*/exe -lname "$TMPDIR/*/launcher" 2>/dev/null)" ]; do kill -0 $pid 2>/dev/null || break; sleep 0.05; done
kill -KILL $pid
wait $pid
for _ in $(seq 50); do goes_on || break; sleep 0.1; done
check 'after KILL what looped goes on' not goes_on
# Switched off: files that were written in part, or not at all.
mapfile -t all < <(kept)
first=${all[0]%.cu}
: >"$first"
touch -d '1 hour ago' "${all[@]}"
cp "${all[-1]}" "$work/whole.cu" && head -c 40 "$work/whole.cu" >"${all[-1]}"
touch -d '1 hour ago' "${all[-1]}"

run 'it goes on' 0 'ben .* 3/6' ./run_all.sh --grade "$work"/{anna,ben}
check 'the first has all' grep -qE '^.*/anna .* 3/6' <(./run_all.sh --grade "$work"/{anna,ben})
check 'all are solved' [ "$(grep -cP '\tsolved\tsolved\t' "$grades")" = 6 ]
check 'what was written in part is judged again' [ -s "$first" ]
check 'and written whole' cmp -s "$work/whole.cu" "${all[-1]}"
again=$(find out/exercises/kept -name '*.cu' -mmin -30 | wc -l)
check "only what was not judged is judged: $again of 6, ${#all[@]} were there" [ "$again" -le $((6 - ${#all[@]} + 2)) ]

# What a call was ended in the midst of is no mark of anybody.
printf 'unsolved\twrong\t\nsaid\tat 256 x' >"$first"
run 'a verdict that ends early' 0 'anna .* 3/6' ./run_all.sh --grade "$work/anna"
finish
