/*
 * many3_blocks: blocks of rows that differ by one row.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * Four devices hold a matrix in blocks of rows, and its transpose too; here one device plays all four. The
 * program is right if rows and columns are multiples of four. Make it right for every size: no device may hold more
 * than one row more than another.
 *
 * Look first at 7 x 300: how many rows does first_of give to each device, and who has the rest?
 *
 * Done when every size is right, with no more blocks, requests and sectors at 258 x 258 than the best partition
 * takes here, and 100 blocks at work or more. The checker sees one device: it cannot tell whose rows a block
 * moves, so first_of is yours to test.
 */
// operation: transpose
// counted: 258 x 258
// goal: verified
// goal: launches == 1
// goal: blocks <= 144
// goal: blocks >= 100
// goal: global_load work <= 12000
// goal: global_load requests <= 2580
// goal: global_store work <= 12000
// goal: global_store requests <= 2580
#include "exercises/exercise.h"

constexpr int DEVICES = 4, TILE = 32, THREADS_Y = 8;

/* Returns how many of `length` rows lie before those of device g. */
static inline __host__ __device__ int first_of(int length, int g) { return length / DEVICES * g; }

/* Device g = blockIdx.z / DEVICES sends its block for device h = blockIdx.z % DEVICES. */
__global__ void send(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[TILE][TILE + 1];

    int g = blockIdx.z / DEVICES, h = blockIdx.z % DEVICES;
    int first_row = first_of(rows, g), first_col = first_of(cols, h);
    int height = first_of(rows, g + 1) - first_row, width = first_of(cols, h + 1) - first_col;
    int row = blockIdx.y * TILE, col = blockIdx.x * TILE;
    const float *from = in + (size_t)first_row * cols + first_col;
    float *to = out + (size_t)first_col * rows + first_row;
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (row + y < height && col + (int)threadIdx.x < width)
            tile[y][threadIdx.x] = from[(size_t)(row + y) * cols + col + threadIdx.x];
    __syncthreads();
    for (int y = threadIdx.y; y < TILE; y += THREADS_Y)
        if (col + y < width && row + (int)threadIdx.x < height)
            to[(size_t)(col + y) * rows + row + threadIdx.x] = tile[threadIdx.x][y];
}

static void launch_send(const float *in, float *out, int rows, int cols)
{
    int height = rows / DEVICES, width = cols / DEVICES; /* of the largest block */
    dim3 blocks(tiles(width, TILE), tiles(height, TILE), DEVICES * DEVICES);
    dim3 threads(TILE, THREADS_Y);
    send<<<blocks, threads>>>(in, out, rows, cols);
}

EXERCISE(launch_send)
