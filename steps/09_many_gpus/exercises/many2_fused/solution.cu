#include "exercises/exercise.h"

constexpr int DEVICES = 4, TILE = 32, THREADS_Y = 8;

/* Rows of the input, or columns, before those of device g. */
static inline __host__ __device__ int first_of(int length, int g)
{
    return (int)((long long)length * g / DEVICES);
}

/* Device g = blockIdx.z transposes its rows into the columns of the output that are its own. */
__global__ void transpose(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int first = first_of(rows, blockIdx.z), count = first_of(rows, blockIdx.z + 1) - first;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (row + y < count && col + (int)threadIdx.x < cols)
            tile[y][threadIdx.x] = in[(size_t)(first + row + y) * cols + col + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (col + y < cols && row + (int)threadIdx.x < count)
            out[(size_t)(col + y) * rows + first + row + threadIdx.x] = tile[threadIdx.x][y];
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles((rows - 1) / DEVICES + 1, TILE), DEVICES);
    dim3 threads(TILE, THREADS_Y);
    transpose<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_transpose)
