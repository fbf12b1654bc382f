/*
 * smem7_wild_lanes: a bug in the wild: lanes that have left are asked for their registers.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. A warp takes two rows.
 * __shfl_xor_sync(mask, value, 1) gives each lane the `value` of the lane beside it, so that two
 * lanes can store two neighbours of the output in one sector: half the sectors of step 01, without
 * shared memory. The mask names the lanes that take part, here all 32. With multiples of 32
 * columns it is right.
 *
 * Look first at the last turn of the loop when there are 65 columns: which lanes are still in it?
 * What does a lane get from one that is not?
 *
 * Done when every size is right, no lane takes a value from a lane that has left, and loads and
 * stores cost no more than now.
 */
// operation: transpose
// counted: 251 x 253
// goal: verified
// goal: global_load work <= 9800
// goal: global_store work <= 36000
// goal: shared_bytes == 0
#include "exercises/exercise.h"

constexpr int WARPS = 4;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    int row = 2 * (blockIdx.x * WARPS + threadIdx.y); /* this warp's rows: row and row + 1 */
    int odd = threadIdx.x % 2;

    for (int col = threadIdx.x; col < cols; col += 32) {
        float upper = row < rows ? in[(size_t)row * cols + col] : 0;
        float lower = row + 1 < rows ? in[(size_t)(row + 1) * cols + col] : 0;

        /* Two lanes exchange one element: the even one its lower, the odd one its upper. */
        float other = __shfl_xor_sync(0xffffffff, odd ? upper : lower, 1);
        float first = odd ? other : upper;
        float second = odd ? lower : other;

        /* So both store neighbours: of one column, then of the column beside it. */
        int even_col = col - odd;
        if (even_col < cols && row + odd < rows)
            out[(size_t)even_col * rows + row + odd] = first;
        if (even_col + 1 < cols && row + odd < rows)
            out[(size_t)(even_col + 1) * rows + row + odd] = second;
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(32, WARPS);
    transpose<<<tiles(rows, 2 * WARPS), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
