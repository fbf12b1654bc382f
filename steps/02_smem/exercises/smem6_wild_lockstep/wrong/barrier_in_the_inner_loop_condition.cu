// refused: waits at a barrier|with the wrong lanes|reads what|overwrites|waits for
// The barrier where only some lanes come.
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
            if (first_row + y < rows && first_col + lane < cols) {
                patch[y][lane] = in[(size_t)(first_row + y) * cols + first_col + lane];
                __syncwarp();
            }

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
