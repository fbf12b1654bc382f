/*
 * ldmatrix on a tile that TMA loaded: one warp transposes 64x64 elements of 2 bytes, first from a
 * plain tile, then from one under the 128-byte swizzle. In this folder:
 *
 *     nvcc -O3 -std=c++17 -arch=sm_90 -I../../../shared ldmatrix.cu -o ldmatrix && ./ldmatrix
 *
 * Prints whether the result is right.
 */
#include "harness/ptx.h"
#include "harness/swizzle.h"
#include "harness/tensor_map.h"

constexpr int TILE = 64;  /* elements of 2 bytes each way: a row is 128 bytes, 8 chunks */
constexpr int CHUNKS = 8; /* of 16 bytes, 8 elements, in a row of the tile */

/* Loads four 8x8 matrices, transposed: lanes 8 m to 8 m + 7 pass the addresses of the rows of matrix
 * m, and each lane gets two neighbouring elements of a column of matrix m in part[m]. */
static __device__ __forceinline__ void ldmatrix_x4_trans(uint32_t part[4], const void *row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
                 : "r"(shared_address(row))
                 : "memory");
}

template <int SWIZZLED>
__global__ void transpose(const __grid_constant__ CUtensorMap in, uint32_t *out)
{
    __shared__ __align__(1024) uint4 tile[TILE * CHUNKS];
    __shared__ uint64_t full;

    int lane = threadIdx.x;
    if (lane == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(&full, sizeof tile);
        tensor_load(tile, &in, 0, 0, &full);
    }
    __syncwarp();
    mbarrier_wait(&full, 0);

    uint32_t part[4];
    for (int first = 0; first < TILE; first += 32)
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
            /* Eight lanes walk down a column: a register then holds neighbours of an output row. */
            int offset = row_major(CHUNKS, first + lane, chunk);
            ldmatrix_x4_trans(part, &tile[SWIZZLED ? swizzle(3, 0, 3, offset) : offset]);
            for (int m = 0; m < 4; m++) {
                int out_row = 8 * chunk + lane / 4;
                int out_col = first + 8 * m + 2 * (lane % 4);
                out[(out_row * TILE + out_col) / 2] = part[m];
            }
        }
}

/* Returns how many elements are wrong. */
template <int SWIZZLED>
static int run(const char *name)
{
    static uint16_t host[TILE * TILE];
    uint16_t *in, *out;
    for (int i = 0; i < TILE * TILE; i++)
        host[i] = (uint16_t)i;
    CUDA_CHECK(cudaMalloc((void **)&in, sizeof host));
    CUDA_CHECK(cudaMalloc((void **)&out, sizeof host));
    CUDA_CHECK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    CUtensorMap map =
        tensor_map(in, 2, TILE, TILE, TILE, TILE, SWIZZLED ? SWIZZLE_128B : SWIZZLE_NONE);
    transpose<SWIZZLED><<<1, 32>>>(map, (uint32_t *)out);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost));

    int wrong = 0;
    for (int i = 0; i < TILE * TILE; i++)
        wrong += host[i] != i % TILE * TILE + i / TILE;
    printf("%s: %s\n", name, wrong ? "WRONG" : "transposed");
    return wrong;
}

int main(void)
{
    int wrong = run<0>("plain tile");
    wrong += run<1>("128-byte swizzle");
    return wrong != 0;
}
