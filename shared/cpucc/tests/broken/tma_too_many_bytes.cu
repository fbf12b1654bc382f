/* Step 07: more bytes are expected than come. */
#include "broken.h"

__global__ void broken_kernel(const __grid_constant__ CUtensorMap in,
                              const __grid_constant__ CUtensorMap out)
{
    __shared__ __align__(1024) float tile[32 * 32];
    __shared__ uint64_t full;
    int x = blockIdx.x * 32, y = blockIdx.y * 32;
    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        mbarrier_arrive_expect(&full, sizeof tile + 16);
        tensor_load(tile, &in, x, y, &full);
    }
    mbarrier_wait(&full, 0); /* FAULT: endless_wait */
    for (int i = threadIdx.x; i < 32 * 32; i += 128)
        tile[i] = tile[i] + 0.0f;
    fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        tensor_store(&out, x, y, tile);
        bulk_commit();
        bulk_wait_read<0>();
    }
}

static void run(const float *in, float *out, int rows, int cols)
{
    CUtensorMap from = tensor_map(in, 4, rows, cols, 32, 32, SWIZZLE_NONE);
    CUtensorMap to = tensor_map(out, 4, rows, cols, 32, 32, SWIZZLE_NONE);
    broken_kernel<<<dim3(cols / 32, rows / 32), 128>>>(from, to);
}

int main() { return check(run, 64, 64, COPY); }
