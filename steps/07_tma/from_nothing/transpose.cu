/*
 * A transpose by TMA from nothing: one kernel, the two tensor maps that it needs, its launch, and a
 * check of the result. In this folder:
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -I../../../shared transpose.cu -o transpose && ./transpose
 */
#include "harness/ptx.h"        /* each PTX instruction as a function */
#include "harness/tensor_map.h" /* tensor_map(), which asks the driver for a descriptor */

constexpr int TILE = 64;     /* floats each way: 16 KB */
constexpr int THREADS = 256; /* 16 x 16, each owns a 4x4 block of the tile */

__global__ void transpose(const __grid_constant__ CUtensorMap in,
                          const __grid_constant__ CUtensorMap out)
{
    __shared__ __align__(128) float4 tile[TILE][TILE / 4]; /* TMA wants 128 bytes of alignment */
    __shared__ uint64_t full;                              /* the mbarrier */

    int row = blockIdx.y * TILE; /* of the tile's first element in the input */
    int col = blockIdx.x * TILE;

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);                        /* one thread will arrive: this one */
        fence_mbarrier_init();                          /* the engine must see it initialised */
        mbarrier_arrive_expect(&full, sizeof tile);     /* arrive, and announce 16 KB */
        tensor_load(&tile[0][0], &in, col, row, &full); /* the contiguous coordinate first */
    }
    __syncthreads();         /* nobody waits on an mbarrier that is not initialised */
    mbarrier_wait(&full, 0); /* its first phase has parity 0 */

    /* Each thread takes a 4x4 block out of the tile, along a diagonal: no bank conflict. */
    int block_col = threadIdx.x % 16;
    int block_row = (threadIdx.x / 16 + block_col) % 16;
    float4 a = tile[4 * block_row][block_col];
    float4 b = tile[4 * block_row + 1][block_col];
    float4 c = tile[4 * block_row + 2][block_col];
    float4 d = tile[4 * block_row + 3][block_col];
    __syncthreads(); /* all blocks are in registers: the tile may be written over */
    tile[4 * block_col][block_row] = make_float4(a.x, b.x, c.x, d.x);
    tile[4 * block_col + 1][block_row] = make_float4(a.y, b.y, c.y, d.y);
    tile[4 * block_col + 2][block_row] = make_float4(a.z, b.z, c.z, d.z);
    tile[4 * block_col + 3][block_row] = make_float4(a.w, b.w, c.w, d.w);

    fence_proxy_async(); /* make this thread's writes visible to the engine */
    __syncthreads();     /* now all have */
    if (threadIdx.x == 0) {
        tensor_store(&out, row, col, &tile[0][0]); /* in the output, x is the input's row */
        bulk_commit();       /* all stores since the last commit are one group */
        bulk_wait_read<0>(); /* shared memory is the engine's until it has read it */
    }
}

int main(void)
{
    const int rows = 260, cols = 400; /* multiples of 4: rows of 16-byte multiples */
    size_t count = (size_t)rows * cols, bytes = count * sizeof(float);
    float *host = (float *)malloc(bytes), *in, *out;
    for (size_t i = 0; i < count; i++)
        host[i] = i;
    CUDA_CHECK(cudaMalloc((void **)&in, bytes));
    CUDA_CHECK(cudaMalloc((void **)&out, bytes));
    CUDA_CHECK(cudaMemcpy(in, host, bytes, cudaMemcpyHostToDevice));

    /* Made once, on the host: pointer, bytes of an element, rows, cols, and the box. */
    CUtensorMap in_map = tensor_map(in, 4, rows, cols, TILE, TILE, SWIZZLE_NONE);
    CUtensorMap out_map = tensor_map(out, 4, cols, rows, TILE, TILE, SWIZZLE_NONE);
    dim3 blocks((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE); /* edges are clipped */
    transpose<<<blocks, THREADS>>>(in_map, out_map); /* the maps by value, 128 bytes each */
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(host, out, bytes, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int row = 0; row < rows; row++)
        for (int col = 0; col < cols; col++)
            wrong += host[(size_t)col * rows + row] != row * cols + col;
    printf("%d x %d: %s\n", rows, cols, wrong ? "WRONG" : "transposed");
    return wrong != 0;
}
