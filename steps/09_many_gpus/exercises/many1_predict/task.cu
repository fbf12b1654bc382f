/*
 * many1_predict: what packing and unpacking cost.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * The usual transpose over several devices packs, exchanges and unpacks. Here one device plays all four, and
 * the exchange costs nothing. Predict what pack and unpack ask of memory, for a 256 x 256 matrix, and write
 * your numbers over the blanks below. Leave the code as it is.
 *
 * Look first at how often each element is loaded, and how often it is stored. Then look at which elements
 * lie side by side in the accesses of one warp.
 *
 * Done when all predictions are right.
 */
// operation: transpose
// predict: launches = ___
// predict: global_load requests = ___
// predict: global_load work = ___
// predict: global_store work_per_request = ___
// goal: verified
#include "exercises/exercise.h"

constexpr int DEVICES = 4, TILE = 32, THREADS_Y = 8;

/* Stands for the memory in which the devices exchange their blocks. */
__device__ alignas(128) float exchanged[512 * 512];

/* Rows of the input, or columns, before those of device g. */
static inline __host__ __device__ int first_of(int length, int g)
{
    return (int)((long long)length * g / DEVICES);
}

/* Device g = blockIdx.z transposes its rows: then the columns for each destination are contiguous. */
__global__ void pack(const float *in, int rows, int cols)
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
            exchanged[first * cols + (col + y) * count + row + threadIdx.x] = tile[threadIdx.x][y];
}

/* Copies what came from device g = blockIdx.z to its columns of the output. */
__global__ void unpack(float *out, int rows, int cols)
{
    int first = first_of(rows, blockIdx.z), count = first_of(rows, blockIdx.z + 1) - first;
    int at = blockIdx.y * TILE + threadIdx.x;
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y) {
        int row = blockIdx.x * TILE + y;
        if (row < cols && at < count)
            out[(size_t)row * rows + first + at] = exchanged[first * cols + row * count + at];
    }
}

static void launch_transpose(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, TILE), tiles((rows - 1) / DEVICES + 1, TILE), DEVICES);
    dim3 threads(TILE, THREADS_Y);
    pack<<<blocks, threads>>>(in, rows, cols);
    unpack<<<blocks, threads>>>(out, rows, cols);
}

EXERCISE(launch_transpose)
