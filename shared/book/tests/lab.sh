#!/bin/bash
# The lab: for every exercise that it offers, it counts what the checker counts; odd sources end with a line and a reason;
# in the browser a reader fills the blanks, sees goals met and not met, and finds the code again.
# usage: lab.sh FOLDER LAB
. "$(dirname "$0")/browser.sh"
lab=$(realpath "$2")
grep -q labBase64 "$book/figures.js" 2>/dev/null || { skip 'the book has no lab'; finish; }

expect 0 python3 -B "$(dirname "$0")/lab.py" "$book" "$lab" "$root"
exercises=$(tail -n 1 "$work/out")
check "the lab offers only $exercises exercises" [ "$exercises" -ge 30 ]
while IFS= read -r line; do fail "$line"; done < <(head -n -1 "$work/out")

# odd PATTERN SOURCE: the lab ends on this source with a line that matches.
odd() {
    printf '%s\n' "$2" >"$work/odd.cu"
    expect 1 "$lab" "$work/odd.cu" transpose 4 16 16
    says "^fault	$1"
}
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
expect 1 "$lab" "$work/odd.cu" transpose 4 16 16

find_browser
result() { echo "eval '$1: ' + Array.from(document.querySelectorAll('[data-lab=smem1_read] .goals li, [data-lab=smem1_read] p.unmet')).map((one) => one.textContent).join(' | ')"; }
edit() { # FROM TO
    echo "eval (() => { const field = document.querySelector('[data-lab=smem1_read] textarea'); field.value = field.value.replace('$1', '$2'); field.dispatchEvent(new Event('input')); })()"
}
{
    echo 'size 390 800'
    echo "open file://$book/steps/02_smem/exercises.html"
    echo "eval (async () => { document.querySelector('[data-lab=smem1_read] summary').click(); await new Promise((later) => setTimeout(later, 200)); document.querySelector('[data-lab=smem1_read] button').click(); })()"
    result blank
    edit 'out_y = ___' 'out_y = threadIdx.x / TILE_ROWS'
    edit 'out_x = ___' 'out_x = threadIdx.x % TILE_ROWS'
    edit 'tile[___][___]' 'tile[out_x][0]'
    echo "eval document.querySelector('[data-lab=smem1_read] button').click()"
    result wrong
    edit 'tile[out_x][0]' 'tile[out_x][out_y]'
    echo "eval document.querySelector('[data-lab=smem1_read] button').click()"
    result right
    echo "eval 'picture: ' + document.querySelectorAll('[data-lab=smem1_read] svg .cell').length + ' ' + (document.documentElement.scrollWidth <= 390)"
    echo "open file://$book/steps/02_smem/exercises.html"
    echo "eval (async () => { const fold = document.querySelector('[data-lab=smem2_barrier]'); fold.querySelector('summary').click(); await new Promise((later) => setTimeout(later, 200)); fold.querySelector('button').click(); return 'blind: ' + fold.querySelector('[role=status]').textContent.replace(/.*met:/s, '') + ' ' + fold.querySelector('summary').textContent; })()"
    echo "eval 'solved: ' + document.querySelector('[data-lab=smem1_read] summary').textContent"
} | drive
says '^blank: Line 38: a blank is still to be filled in'
says '^wrong: not met: the output is wrong at 256 x 256: element (.*) of the output is element'
says '^right: met: the output is right.*met: global_store work <= 8192: it is 8192'
says '^picture: [1-9][0-9]* true'
says '^blind: .*only the checker judges this exercise.* Try it here$'
says '^solved: .*solved in the lab'
finish
