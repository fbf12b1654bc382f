/*
 * tma --guide: the example of the CUDA guide, an 8x8 matrix of 16-byte elements that eight threads
 * transpose in shared memory, without and with the 128-byte swizzle.
 */
#ifndef GUIDE_CUH
#define GUIDE_CUH

#include "harness/harness.h"

constexpr int GUIDE = 8;

template <int SWIZZLED>
static __host__ __device__ int guide_offset(int row, int col)
{
    return SWIZZLED ? swizzle(3, 0, 3, row_major(GUIDE, row, col)) : row_major(GUIDE, row, col);
}

/* Eight threads: in each step they read one row of the tile and write one column of its
 * transpose. */
template <int SWIZZLED>
__global__ void guide_kernel(const __grid_constant__ CUtensorMap in,
                             const __grid_constant__ CUtensorMap out)
{
    __shared__ __align__(1024) int4 tile[GUIDE * GUIDE], transposed[GUIDE * GUIDE];
    __shared__ uint64_t full;

    if (threadIdx.x == 0) {
        mbarrier_init(&full, 1);
        fence_mbarrier_init();
        mbarrier_arrive_expect(&full, sizeof tile);
        tensor_load(tile, &in, 0, 0, &full);
    }
    __syncthreads();
    mbarrier_wait(&full, 0);
    int col = threadIdx.x;
    for (int row = 0; row < GUIDE; row++)
        transposed[guide_offset<SWIZZLED>(col, row)] = tile[guide_offset<SWIZZLED>(row, col)];
    fence_proxy_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        tensor_store(&out, 0, 0, transposed);
        bulk_commit();
        bulk_wait_read<0>();
    }
}

/* The tile in shared memory as a table: the element that lies at each place, and how many lanes
 * that write one column of it share a group of four banks. */
template <int SWIZZLED>
static int print_bank_table(void)
{
    printf("\n%s: group of four banks (0 to 7) of each 16-byte element\n\n      col",
           SWIZZLED ? "128-byte swizzle" : "no swizzle");
    for (int col = 0; col < GUIDE; col++)
        printf(" %2d", col);
    int worst = 0;
    for (int row = 0; row < GUIDE; row++) {
        printf("\n  row %d  ", row);
        for (int col = 0; col < GUIDE; col++)
            printf(" %2d", guide_offset<SWIZZLED>(row, col) % GUIDE);
    }
    for (int group = 0; group < GUIDE; group++) {
        int lanes = 0;
        for (int row = 0; row < GUIDE; row++)
            lanes += guide_offset<SWIZZLED>(row, 0) % GUIDE == group;
        worst = lanes > worst ? lanes : worst;
    }
    printf("\n\n  a row meets 8 groups; column 0 meets each of its groups %d time%s: %s\n", worst,
           worst == 1 ? "" : "s", worst == 1 ? "no conflict" : "a conflict");
    return worst;
}

template <int SWIZZLED>
static int run_guide(void)
{
    enum { INTS = GUIDE * GUIDE * 4 };
    int in[INTS], out[INTS], *device_in, *device_out;
    for (int i = 0; i < INTS; i++) {
        in[i] = 1000 + i;
        out[i] = -1;
    }
    CUDA_CHECK(cudaMalloc((void **)&device_in, sizeof in));
    CUDA_CHECK(cudaMalloc((void **)&device_out, sizeof out));
    CUDA_CHECK(cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(device_out, out, sizeof out, cudaMemcpyHostToDevice));
    BoxSwizzle mode = SWIZZLED ? SWIZZLE_128B : SWIZZLE_NONE;
    guide_kernel<SWIZZLED>
        <<<1, GUIDE>>>(tensor_map(device_in, 4, GUIDE, 4 * GUIDE, GUIDE, 4 * GUIDE, mode),
                       tensor_map(device_out, 4, GUIDE, 4 * GUIDE, GUIDE, 4 * GUIDE, mode));
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(device_in));
    CUDA_CHECK(cudaFree(device_out));

    int wrong = 0;
    for (int i = 0; i < INTS; i++) {
        int row = i / 4 / GUIDE, col = i / 4 % GUIDE;
        wrong += out[i] != in[(col * GUIDE + row) * 4 + i % 4];
    }
    print_bank_table<SWIZZLED>();
    printf("  transposed on the device: %s\n", wrong ? "WRONG" : "verified");
    return wrong;
}

static int guide(void)
{
    Device device = open_device(0);
    static const Variant needs = {"--guide", NULL, 1, 90};
    const char *refusal = device_refusal(&needs, &device);
    if (refusal) {
        fprintf(stderr, "--guide: %s\n", refusal);
        return EXIT_NO_DEVICE;
    }
    printf("An 8x8 matrix of int4: one row is 128 bytes, all 32 banks. Eight threads read a row\n"
           "of the tile and write a column of its transpose.\n");
    int wrong = run_guide<0>();
    wrong += run_guide<1>();
    return wrong ? EXIT_FAULT : EXIT_OK;
}

#endif
