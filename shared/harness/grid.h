/*
 * How many blocks a launch needs, or the device holds.
 */
#ifndef GRID_H
#define GRID_H

#include "device.h"

/* How many tiles (or vectors) of `size` it takes to cover `length` elements. */
static __host__ __device__ __forceinline__ int tiles(int length, int size)
{
    return (length - 1) / size + 1;
}

/* The number of tile_rows x tile_cols tiles that cover a rows x cols matrix: the blocks of a launch
 * that numbers them in one dimension, which takes every shape (gridDim.y and gridDim.z end at
 * 65535). */
static inline unsigned blocks_for(int rows, int cols, int tile_rows, int tile_cols)
{
    return (unsigned)tiles(rows, tile_rows) * (unsigned)tiles(cols, tile_cols);
}

/* The grid of a persistent kernel: as many blocks as the whole device holds at once, but at most
 * `per_sm_limit` on one SM. Shared memory is the kernel's static plus `dynamic_bytes`, to which
 * this also raises the kernel's limit. */
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

/* Bytes of dynamic shared memory with which at most `blocks` blocks of this kernel fit on one SM:
 * unused, they only take the room that one more block would need. 0 where fewer fit anyway. Also
 * asks for as much shared memory as the SM has: left to itself, the driver may choose a split with
 * L1 in which fewer blocks fit. */
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
