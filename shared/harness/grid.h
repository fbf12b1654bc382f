/*
 * Computes the number of blocks that a launch needs or that the device holds.
 */
#ifndef GRID_H
#define GRID_H

#include "device.h"

/* Returns the number of tiles (or vectors) of `size` elements that cover `length` elements. */
static __host__ __device__ __forceinline__ int tiles(int length, int size)
{
    return (length - 1) / size + 1;
}

/* Returns the number of tile_rows x tile_cols tiles that cover a rows x cols matrix, for a
 * one-dimensional launch: gridDim.x takes it for every shape, while gridDim.y and gridDim.z end at
 * 65535. */
static inline unsigned blocks_for(int rows, int cols, int tile_rows, int tile_cols)
{
    return (unsigned)tiles(rows, tile_rows) * (unsigned)tiles(cols, tile_cols);
}

/* Returns the number of blocks that the device holds at once, at most `per_sm_limit` per SM: the
 * grid of a persistent kernel. Also allows the kernel `dynamic_bytes` of dynamic shared memory. */
static inline unsigned resident_blocks(const void *kernel, int threads, int dynamic_bytes,
                                       int per_sm_limit)
{
    int device, per_sm;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic_bytes));
    CUDA_CHECK(
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, kernel, threads, dynamic_bytes));
    return (per_sm < per_sm_limit ? per_sm : per_sm_limit) *
           device_attribute(cudaDevAttrMultiProcessorCount, device);
}

/* Returns how many bytes of unused dynamic shared memory a launch must request so that at most
 * `blocks` blocks of this kernel fit on an SM; 0 if no more fit anyway. Also sets the largest
 * carve-out of shared memory, because the driver may choose one in which fewer blocks fit. */
static inline int padding_for_blocks_per_sm(const void *kernel, int blocks)
{
    int device;
    cudaFuncAttributes attributes;
    CUDA_CHECK(cudaGetDevice(&device));
    CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    int share = device_attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device) / blocks -
                device_attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
    int padding = (share - (int)attributes.sharedSizeBytes) / 1024 * 1024;
    if (padding <= 0)
        return 0;
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, padding));
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                    cudaSharedmemCarveoutMaxShared));
    return padding;
}

#endif
