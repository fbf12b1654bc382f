/*
 * coarsen3_predict: say what a block of 16 x 16 threads does to the lesson's tile.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The lesson's padded tile of 32 x 32 and four elements a thread, as in coarsen4; but the block is
 * 16 threads wide and 16 high, and a thread takes two rows and two columns. Predict for a 256 x 256
 * matrix and write your numbers over the blanks below. Leave the code as it is.
 *
 * Look first at one warp: it is two rows of 16 now. Which 32 elements does it move in one turn, how
 * many sectors are they, and in which banks, (33 row + col) % 32, do they lie?
 *
 * Done when all predictions are right.
 */
// operation: transpose
// predict: global_load requests = ___
// predict: global_load work_per_request = ___
// predict: shared_store conflict_degree = ___
// predict: shared_load conflict_degree = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int TILE = 32;
constexpr int THREADS = 16; /* along x, and along y */

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int row = blockIdx.y * TILE;
    int col = blockIdx.x * TILE;
    for (int y = threadIdx.y; y < TILE; y += THREADS)
        for (int x = threadIdx.x; x < TILE; x += THREADS)
            if (row + y < rows && col + x < cols)
                tile[y][x] = in[(size_t)(row + y) * cols + col + x];
    __syncthreads();

    for (int y = threadIdx.y; y < TILE; y += THREADS)
        for (int x = threadIdx.x; x < TILE; x += THREADS)
            if (col + y < cols && row + x < rows)
                out[(size_t)(col + y) * rows + row + x] = tile[x][y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles(rows, TILE));
    dim3 threads(THREADS, THREADS);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
