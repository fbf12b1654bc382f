#!/bin/bash
# The lab: for every exercise that it offers, it counts what the checker counts; odd sources end with a line and a reason;
# in the browser a reader fills the blanks, sees goals met and not met, and finds the code again.
# usage: lab.sh FOLDER LAB
. "$(dirname "$0")/browser.sh"
lab=$(realpath "$2")
grep -q labBase64 "$book/lab.js" 2>/dev/null || { skip 'the book has no lab'; finish; }

expect 0 python3 -B "$(dirname "$0")/lab.py" "$book" "$lab" "$root"
exercises=$(tail -n 1 "$work/out")
check "the lab offers only $exercises exercises" [ "$exercises" -ge 30 ]
while IFS= read -r line; do fail "$line"; done < <(head -n -1 "$work/out")

# odd PATTERN SOURCE: the lab ends on this source with a line that matches.
odd() {
    expect 1 "$lab" "$2" "$task"
    says "^fault	$1"
}
task=$'// operation: transpose\n// counted: 16 x 16'
kernel='__global__ void k(const float *in, float *out, int rows, int cols)'
launch='static void go(const float *in, float *out, int rows, int cols) { k<<<1, 32>>>(in, out, rows, cols); }
EXERCISE(go)'
odd '[12]	.*EXERCISE' ''
odd '2	.*blank' "$kernel {
out[0] = in[___]; } $launch"
odd "1	thread 31 writes element 256 of 'out'" "$kernel { out[threadIdx.x + 225] = in[0]; } $launch"
odd '1	a division by zero' "$kernel { out[0] = in[1 / (rows - 16)]; } $launch"
odd '1	the run takes too long' "$kernel { for (;;) out[0] = in[0]; } $launch"
odd "1	the lab does not know 'f'" "$kernel { out[0] = f(in[0]); } $launch"
odd '1	.*48 KB' "$kernel { __shared__ float t[20000]; t[0] = in[0]; } $launch"
odd '1	.*at most 1024 threads' "$kernel { } ${launch/32/2048}"
odd '1	.*nested too deeply' "$kernel { out[0] = $(printf '(%.0s' {1..3000}) in[0]; } $launch"
odd '1	.*too long' "$kernel { $(printf 'out[0] = in[0] + in[1];%.0s' {1..2500}) } $launch"
head -c 20000 /dev/urandom | tr -d '\0' >"$work/odd.cu"
expect 1 "$lab" "$(cat "$work/odd.cu")" "$task"
expect 2 "$lab" "$kernel"
expect 2 "$lab" "$kernel" 'no operation'

# judged GOAL PATTERN [SOURCE]: the line on this goal matches; by default of a kernel of 32 threads that transposes.
strided="$kernel { for (int i = threadIdx.x + 32 * blockIdx.x; i < rows * cols; i += 32 * gridDim.x) out[i] = in[i % rows * cols + i / rows]; }"
judged() {
    "$lab" "${3:-$strided ${launch/<<<1,/<<<8,}}" "$task"$'\n'"// $1" >"$work/out" 2>"$work/err"
    says "^goal	$2"
}
judged 'goal: threads_per_block == 32' 'met	threads_per_block == 32: it is 32'
judged 'goal: threads_per_block >= 9' 'unmet	a block has 8 threads at work' "$kernel { int n = blockIdx.x ? 8 : 32;
    for (int i = threadIdx.x + (threadIdx.x / n << 20); i < rows * cols; i += n) out[i] = in[i % rows * cols + i / rows]; } ${launch/<<<1,/<<<8,}"
judged 'goal: threads_per_block >= 33' 'unmet	a block has 32 threads; the goal is at least 33'
judged 'goal: blocks >= 9' 'unmet	the grid has 8 blocks'
judged 'goal: blocks <= 3' 'unmet	the grid has 8 blocks'
judged 'goal: blocks <= 8' 'met	blocks <= 8'
judged 'goal: blocks <= 8' 'unmet	at 1 x 1, the grid has 40 blocks; the goal is at most 16' "$strided ${launch/<<<1,/<<<rows == 16 ? 8 : 40,}"
called='k<<<1, 32>>>(in, out, rows, cols);'
judged 'goal: launches <= 1' 'unmet	the launch function starts 2 kernels' "$strided ${launch/k</"$called" k<}"
judged 'goal: shared_load conflict_degree == 1' 'unmet	of the output, 0 percent come out of shared memory'
check 'a goal that the checker added and that is met is printed' not grep -q 'ideal >=' "$work/out"
judged 'goal: offsets 64' 'unjudged	offsets 64'
judged 'silver: global_load work <= 3' 'unmet	.*; the goal is at most 3.*	silver'

find_browser
say_goals() { echo "eval '$1: ' + Array.from(document.querySelectorAll('$fold .goals li, $fold p.unmet, $fold [role=status] > p')).map((one) => one.textContent).join(' | ')"; }
edit() { # FROM TO
    echo "eval (() => { const field = document.querySelector('$fold textarea'); field.value = field.value.replace('$1', '$2'); field.dispatchEvent(new Event('input')); })()"
}
open_fold() {
    fold="[data-lab=$1]"
    echo "eval (async () => { document.querySelector('$fold summary').click(); await new Promise((later) => setTimeout(later, 200)); })()"
}
run_it() {
    echo "eval (async () => { const fold = document.querySelector('$fold'); fold.querySelector('button').click();" \
        "while (fold.querySelector('[aria-busy]')) await new Promise((later) => setTimeout(later, 20)); })()"
}
{
    echo 'size 390 800'
    echo "open file://$book/steps/02_smem/exercises.html"
    open_fold smem1_read
    echo "eval document.querySelector('$fold textarea').focus()"
    echo 'type threadIdx.x / TILE_ROWS'
    run_it
    say_goals blank
    edit 'out_x = ___' 'out_x = threadIdx.x % TILE_ROWS'
    edit 'tile[___][___]' 'tile[out_x][0]'
    run_it
    say_goals wrong
    edit 'tile[out_x][0]' 'tile[out_x][out_y + 64]'
    run_it
    say_goals outside
    edit 'tile[out_x][out_y + 64]' 'tile[out_x][out_y]'
    run_it
    say_goals right
    echo "eval 'picture: ' + document.querySelectorAll('$fold svg .cell').length + ' ' + (document.documentElement.scrollWidth <= 390)"
    echo "eval (() => { const again = document.querySelectorAll('$fold button')[1], field = document.querySelector('$fold textarea'), was = field.value; again.click(); const task = field.value; again.click(); return 'back: ' + (task !== was && was === field.value) + task.includes('___'); })()"
    echo "open file://$book/steps/02_smem/exercises.html"
    echo "eval 'solved: ' + document.querySelector('$fold summary').textContent"
    open_fold smem2_barrier
    run_it
    echo "eval 'told before: ' + document.querySelector('$fold > p + p').textContent"
    say_goals blind
    echo "eval 'no mark: ' + document.querySelector('$fold summary').textContent"
    echo "open file://$book/index.html"
    echo "eval 'landing: ' + document.querySelector('[data-lesson*=\"/02_\"]').textContent"
} | drive
says '^blank: .*Line [0-9]* (int out_x = ___;): a blank is still to be filled in'
says '^wrong: not met: the output is wrong at 240 x 256: element (.*) of the output is element'
says "^outside: .*Line [0-9]* (.*): thread [0-9]* reads element [0-9]* of 'tile'"
says '^right: met: the output is right.*met: global_store work <= 7680: it is 7680.*Solved in the lab'
says '^picture: [1-9][0-9]* true'
says '^back: truetrue'
says '^told before: .*only the checker judges this exercise'
says '^blind: .*only the checker judges this exercise'
says '^no mark: .*Try it here$'
says '^solved: .*solved in the lab'
says '^landing: .*1 solved in the lab'
finish
