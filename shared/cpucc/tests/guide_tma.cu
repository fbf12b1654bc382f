/*
 * The way the CUDA C++ Programming Guide writes a TMA transpose with the 128-byte swizzle: an 8x8
 * matrix of int4, cuda::barrier and the cuda::device::experimental calls. Written anew for this
 * test; it builds with nvcc (-std=c++17 -arch=sm_90 -lcuda) and cpucc alike and verifies itself.
 *
 * Counted by hand: 8 threads, 8 steps, each one load and one store request of eight 16-byte
 * elements: a row of eight chunks read, a swizzled column written, both in one wavefront:
 * shared_load 8 requests 8 wavefronts, shared_store 8 requests 8 wavefronts, one 1024-byte TMA
 * load and one store.
 *
 * COUNTERS shared_load shared_store
 * EXPECT transpose8x8 shared_load 8 8 8
 * EXPECT transpose8x8 shared_store 8 8 8
 */
#include <cuda.h>
#include <cuda/barrier>
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>
#include <utility>

using barrier = cuda::barrier<cuda::thread_scope_block>;
namespace cde = cuda::device::experimental;

__global__ void transpose8x8(const __grid_constant__ CUtensorMap map)
{
    __shared__ alignas(1024) int4 tile[8][8];
    __shared__ alignas(1024) int4 turned[8][8];
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier arrived;

    if (threadIdx.x == 0) {
        init(&arrived, blockDim.x);
        cde::fence_proxy_async_shared_cta();
    }
    __syncthreads();

    barrier::arrival_token token;
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_global_to_shared(&tile, &map, 0, 0, arrived);
        token = cuda::device::barrier_arrive_tx(arrived, 1, sizeof(tile));
    } else {
        token = arrived.arrive();
    }
    arrived.wait(std::move(token));

    for (int col = threadIdx.x; col < 8; col += blockDim.x)
        for (int row = 0; row < 8; row++)
            turned[col][row ^ col] = tile[row][col ^ row];

    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
        cde::cp_async_bulk_tensor_2d_shared_to_global(&map, 0, 0, &turned);
        cde::cp_async_bulk_commit_group();
        cde::cp_async_bulk_wait_group_read<0>();
        (&arrived)->~barrier();
    }
}

int main()
{
    int4 host[64], back[64], *device;
    for (int i = 0; i < 64; i++)
        host[i] = make_int4(i, 100 + i, 200 + i, 300 + i);
    cudaMalloc(&device, sizeof host);
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);

    CUtensorMap map{};
    cuuint64_t size[2] = {4 * 8, 8}, stride[1] = {8 * sizeof(int4)};
    cuuint32_t box[2] = {4 * 8, 8}, element_stride[2] = {1, 1};
    CUresult made = cuTensorMapEncodeTiled(
        &map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, device, size, stride, box, element_stride,
        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (made != CUDA_SUCCESS)
        return 1;
    transpose8x8<<<1, 8>>>(map);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    cudaMemcpy(back, device, sizeof back, cudaMemcpyDeviceToHost);
    for (int row = 0; row < 8; row++)
        for (int col = 0; col < 8; col++)
            if (memcmp(&back[row * 8 + col], &host[col * 8 + row], sizeof(int4)))
                return printf("wrong at %d,%d\n", row, col), 1;
    puts("transposed");
    return 0;
}
