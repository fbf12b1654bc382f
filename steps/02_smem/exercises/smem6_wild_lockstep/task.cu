/*
 * smem6_wild_lockstep: a bug in the wild: "a warp needs no barrier".
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. Each warp has a patch of 8 x 32 floats
 * in shared memory for itself, and goes down the matrix with it. The author left out all barriers:
 * the 32 threads of a warp do everything together, so nobody can be too early. On GPUs until 2016
 * that was so.
 *
 * Look first at what one lane reads that another has written; then at what it overwrites in the
 * next turn of the loop.
 *
 * Done when there is no race at any size, with requests of at most 4 sectors both ways, as few of
 * them as now at 160 x 320, and as few blocks, of at most 128 threads and 16896 bytes of shared memory.
 */
// operation: transpose
// counted: 160 x 320
// goal: verified
// goal: global_load work <= 6400
// goal: global_load requests <= 1600
// goal: global_store work <= 6400
// goal: global_store requests <= 1600
// goal: shared_load ideal >= 1600
// goal: shared_store ideal >= 1600
// goal: threads_per_block <= 128
// goal: blocks <= 10
// goal: shared_bytes <= 16896
#include "exercises/exercise.h"

constexpr int ROWS = 8;
constexpr int COLS = 32;
constexpr int WARPS = 4;

__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float patches[WARPS][ROWS][COLS];
    float(*patch)[COLS] = patches[threadIdx.y]; /* this warp's own */
    int lane = threadIdx.x;
    int first_col = blockIdx.x * COLS;

    for (int first_row = threadIdx.y * ROWS; first_row < rows; first_row += WARPS * ROWS) {
        for (int y = 0; y < ROWS; y++)
            if (first_row + y < rows && first_col + lane < cols)
                patch[y][lane] = in[(size_t)(first_row + y) * cols + first_col + lane];

        for (int c = lane / ROWS; c < COLS; c += 32 / ROWS) {
            int row = first_row + lane % ROWS;
            if (first_col + c < cols && row < rows)
                out[(size_t)(first_col + c) * rows + row] = patch[lane % ROWS][c];
        }
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 threads(32, WARPS);
    transpose<<<tiles(cols, COLS), threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
