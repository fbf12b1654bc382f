/*
 * many2_fused: one kernel instead of pack and unpack.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Four devices transpose a matrix in blocks of rows; here one device plays all four. Device g holds rows
 * first_of(rows, g) to first_of(rows, g + 1) of the input. It packs them, and everybody unpacks. With peer
 * access a device can store to every output directly. Write the one kernel that does so, and launch it instead of
 * the two.
 *
 * Look first at the stores of pack: where in `out` must each of these elements go?
 *
 * Done when one launch moves each element once, coalesced both ways, with at least as many blocks at work as
 * devices. The checker sees one device: it cannot tell whose rows a block moves.
 */
// operation: transpose
// goal: verified
// goal: launches == 1
// goal: blocks >= 4
// goal: global_load work <= 8192
// goal: global_store work <= 8192
// goal: global_store requests <= 2048
// goal: shared_load conflict_degree == 1
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
