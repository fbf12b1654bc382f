#!/bin/bash
# --watch checks what is saved, shows the next exercise, and knows keys.
# usage: watch.sh FOLDER, the folder that tools.sh has made
. "$(dirname "$0")/../book.sh"

solve_all
cp "$originals/naive4_stores/task.cu" "$exercises/naive4_stores/answer.cu"
timeout 400 ./run_all.sh --exercises 01 --watch >"$work/watched" 2>&1 &
watcher=$!
for _ in $(seq 3000); do grep -q watching "$work/watched" && break; sleep 0.1; done
solve naive4_stores
wait $watcher
check 'it ends when all are solved' [ $? -eq 0 ]
check 'it says what was missing' grep -q 'the stores of line [0-9]* touch 32 sectors' "$work/watched"
check 'it sees the file saved' grep -q 'naive4_stores is solved' "$work/watched"

# The keys, on a terminal: h hint, r reset, n next, q quit.
command -v script >/dev/null || { skip 'script is not installed: no terminal'; finish; }
rm "$exercises"/*/answer.cu

cp "$originals/naive4_stores/solution.cu" "$exercises/naive1_turn/answer.cu" # not right there
sed -i 's/threadIdx.x/threadIdx.y/' "$exercises/naive1_turn/answer.cu"
mkfifo "$work/keys"
timeout 500 script -qefc "./run_all.sh --exercises 01 --watch" /dev/null <"$work/keys" >"$work/shown" 2>&1 &
watcher=$!
exec 7>"$work/keys"
# press KEY WORDS: until the words are there.
press() {
    local before
    before=$(grep -c -e "$2" "$work/shown")
    printf '%s' "$1" >&7
    for _ in $(seq 1500); do
        [ "$(grep -c -e "$2" "$work/shown")" -le "$before" ] || { pass; return; }
        sleep 0.1
    done
    fail "key $1: nothing like '$2' is shown: $(tail -n 20 "$work/shown")"
}
press '' 'h hint, n next, r reset, q quit'
press h 'naive1_turn, hint 1 of'
press h 'naive1_turn, hint 2 of'
press r 'is as it was at first'
check 'the task is there again' cmp -s "$exercises/naive1_turn/answer.cu" "$originals/naive1_turn/task.cu"
press n 'next: naive2_edge'
printf q >&7
wait $watcher
check 'q ends it' [ $? -eq 0 ]
finish
