#!/bin/bash
# What the learner is told of mistakes that are easily told wrongly, and what an honest answer may use.
# usage: words.sh FOLDER, the folder that tools.sh has made
name=naive4_stores tools=$1
. "$(dirname "$0")/exercises.sh"

# in_kernel TEXT: the solution with more in front of its bounds check.
in_kernel() {
    solution | awk -v more="$1" '/^    if \(row < rows/ {print more} {print}'
}
# first WORDS: of all that was told last, the first line has them.
first() { check "$1 is not told first: $(sed -n 2p "$work/verdict")" grep -q "$1" <(sed -n 2p "$work/verdict"); }

export EXERCISE_SECONDS=1
answer 'while (1);' unsolved 'still running after 1 seconds .* does a loop never end' < <(in_kernel '    while (1);')
answer 'a spin on shared memory' unsolved 'still running after|waits for something that never happens' \
    < <(in_kernel '    __shared__ volatile int flag;\n    flag = 0;\n    __syncthreads();\n    while (flag == 0) { }')
export EXERCISE_SECONDS=10

answer 'no include' unsolved '#include "exercises/exercise.h" is missing' < <(solution | sed '/^#include/d')

# Three races follow from an index that reaches too far; there is no barrier either.
answer 'an overrun and races' unsolved 'reaches outside an array' < <(in_kernel '    __shared__ float tile[1024];
    tile[threadIdx.x + 8] = row;
    if (tile[1023 - threadIdx.x] == -1) return;')
first 'line [0-9]* reaches outside an array'
# What nobody wrote is read, at a line that races with nothing.
answer 'unwritten memory and a race' unsolved 'memory that nobody has written' < <(in_kernel '    __shared__ float tile[2048];
    tile[threadIdx.x] = row;
    if (tile[1023 - threadIdx.x] == -2) return;
    if (tile[1024 + threadIdx.x] == -1) return;')
first 'line [0-9]* reads memory that nobody has written'

# The mathematics of C and CUDA.
answer 'functions that kernels may call' solved '' < <(in_kernel '    float x = 0.5f * row + 1;
    double d = x;
    if ((int)sqrtf(x) + (unsigned)d + __popc(row) + __clz(row) + __brev(row) + __ffs(row) + abs(row) + max(row, 3) + min(col, 5) +
            __funnelshift_l(row, col, 3) + __float2int_rn(x) + (int)floorf(x) + __byte_perm(row, col, 0x1234) +
            __mul24(row, 3) + __umulhi(row, 7) + (int)(powf(x, 2) + expf(-x) + logf(x) + sinf(x) + atan2f(x, x) + hypotf(x, x) + cbrtf(x) +
            fmodf(x, 2) + fmaf(x, x, x) + rsqrtf(x) + tanhf(x) + erff(x) + roundf(x) + fabs(d) + exp2(d)) + lrintf(x) == -77777777)
        return;')
name=tma5_swizzle home=$(home_of tma5_swizzle)
answer 'a map that is refused' unsolved "wider than the swizzle's span" < <(solution | sed 's/SWIZZLE_128B/SWIZZLE_64B/')
finish
