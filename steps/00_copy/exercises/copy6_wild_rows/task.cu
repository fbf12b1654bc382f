/*
 * copy6_wild_rows: a bug in the wild: a table with room for 32 blocks.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../../../shared answer.cu -o answer
 *
 * A bug that was found in public code, in a kernel of ours. Each block puts its elements down in a
 * row of a table (__device__: in global memory) before it copies them out. (In the original these
 * are partial sums, and the table is worth its place.) The table's size was chosen when grids were
 * small. No table is large enough for every matrix, so do not enlarge it.
 *
 * Look first at which row block 32 takes.
 *
 * Done when every size is right with 16 to 32 blocks, 256 threads per block, requests of four
 * sectors and a table of at most 32 rows.
 */
// operation: copy
// goal: verified
// goal: blocks <= 32
// goal: blocks >= 16
// goal: threads_per_block == 256
// goal: variable_bytes <= 32768
// goal: global_load work <= 16384
// goal: global_store work <= 16384
#include "exercises/exercise.h"

constexpr int ROWS = 32;
constexpr int THREADS = 256;

__device__ __align__(128) float table[ROWS][THREADS];

__global__ void copy(const float *in, float *out, size_t count)
{
    float *mine = &table[blockIdx.x][threadIdx.x];
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count) {
        *mine = in[i];
        out[i] = *mine;
    }
}

static void launch_copy(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    copy<<<(unsigned)((count - 1) / THREADS + 1), THREADS>>>(in, out, count);
}

EXERCISE(launch_copy)
