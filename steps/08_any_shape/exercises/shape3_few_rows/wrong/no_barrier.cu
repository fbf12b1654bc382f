// refused: barrier|race|another thread
// Nobody waits.
#include "exercises/exercise.h"

constexpr int THREADS = 256;
constexpr int RUN = 4096; /* floats in a block's piece of the output, at most */

__global__ void transpose(const float *in, float *out, int rows, int cols, int along)
{
    __shared__ float piece[RUN];

    int first = blockIdx.x * along; /* column of the input, row of the output */
    int width = min(along, cols - first);
    for (int i = threadIdx.x; i < rows * along; i += THREADS) {
        int row = i / along, x = i % along;
        if (x < width)
            piece[i] = in[(size_t)row * cols + first + x];
    }
    for (int i = threadIdx.x; i < rows * width; i += THREADS)
        out[(size_t)first * rows + i] = piece[i % rows * along + i / rows];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    int along = RUN / rows / 32 * 32; /* columns in a piece */
    if (along == 0)
        along = RUN / rows;
    transpose<<<tiles(cols, along), THREADS>>>(in, out, rows, cols, along);
}

EXERCISE(launch_transpose)
