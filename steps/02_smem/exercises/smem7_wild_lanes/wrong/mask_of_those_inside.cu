// refused: nobody wrote|with the wrong lanes|elements of the output are wrong|waits for something
// The lanes that are inside, by a vote in the loop.
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
        unsigned inside = __ballot_sync(0xffffffff, col < cols);
        float other = __shfl_xor_sync(inside, odd ? upper : lower, 1);
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
