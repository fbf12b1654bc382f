/*
 * Tensor maps: the descriptors through which TMA copies boxes of a matrix (CUDA 12.0 or newer,
 * compute capability 9.0 or newer).
 *
 * The driver function that encodes a tensor map is fetched at run time, so that no program links
 * -lcuda.
 */
#ifndef TENSOR_MAP_H
#define TENSOR_MAP_H

#include "cuda_check.h"
#include <cuda.h>
#include <stdint.h>

#define HAS_TENSOR_MAPS (CUDART_VERSION >= 12000)

/* How TMA arranges a box in shared memory, by the bytes of a row: CUtensorMapSwizzle. */
typedef enum { SWIZZLE_NONE, SWIZZLE_32B, SWIZZLE_64B, SWIZZLE_128B } BoxSwizzle;

#if HAS_TENSOR_MAPS

typedef CUresult (*EncodeTiled)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static inline EncodeTiled fetch_encode_tiled(void)
{
    static void *function;
    if (function)
        return (EncodeTiled)function;
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                                cudaEnableDefault, &found));
#else
    CUDA_CHECK(
        cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found));
#endif
    if (found != cudaDriverEntryPointSuccess) {
        fprintf(stderr, "this driver has no cuTensorMapEncodeTiled; CUDA 12.0 brings it\n");
        exit(EXIT_NO_DEVICE);
    }
    return (EncodeTiled)function;
}

/* Returns the map of a rows x cols row-major matrix for copies in boxes of box_rows x box_cols
 * elements. `base` is device memory aligned to 16 bytes, with a swizzle to 128 (the CUDA Programming
 * Guide wants 128; cuTensorMapEncodeTiled asks for 16). The bytes of a row are a multiple of 16.
 * `bytes` is the size of an element: 1, 2, 4 or 8; TMA only moves bits. A swizzle of S bytes needs
 * box_cols * bytes <= S. For another size, a misaligned base, or if the driver refuses the map, the
 * program ends with EXIT_FAULT. */
static inline CUtensorMap tensor_map(const void *base, int bytes, uint64_t rows, uint64_t cols,
                                     int box_rows, int box_cols, BoxSwizzle swizzle)
{
    CUtensorMap map;
    CUtensorMapDataType type = bytes == 1   ? CU_TENSOR_MAP_DATA_TYPE_UINT8
                               : bytes == 2 ? CU_TENSOR_MAP_DATA_TYPE_UINT16
                               : bytes == 4 ? CU_TENSOR_MAP_DATA_TYPE_UINT32
                                            : CU_TENSOR_MAP_DATA_TYPE_UINT64;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8) {
        fprintf(stderr, "tensor_map: elements of %d bytes; TMA has 1, 2, 4 and 8\n", bytes);
        exit(EXIT_FAULT);
    }
    if (swizzle && (uintptr_t)base % 128) {
        fprintf(stderr,
                "tensor_map: a matrix at %p; with a swizzle it must be aligned to 128 bytes\n",
                base);
        exit(EXIT_FAULT);
    }
    cuuint64_t size[2] = {cols, rows}; /* the contiguous dimension comes first */
    cuuint64_t pitch[1] = {cols * bytes};
    cuuint32_t box[2] = {(cuuint32_t)box_cols, (cuuint32_t)box_rows};
    cuuint32_t step[2] = {1, 1};
    CUresult result =
        fetch_encode_tiled()(&map, type, 2, (void *)base, size, pitch, box, step,
                             CU_TENSOR_MAP_INTERLEAVE_NONE, (CUtensorMapSwizzle)swizzle,
                             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (result != CUDA_SUCCESS) {
        fprintf(stderr,
                "cuTensorMapEncodeTiled: error %d for %llu x %llu elements of %d bytes in boxes of "
                "%d x %d\n",
                (int)result, (unsigned long long)rows, (unsigned long long)cols, bytes, box_rows,
                box_cols);
        exit(EXIT_FAULT);
    }
    return map;
}

#else

/* For older toolkits, so that programs build; variants that need tensor maps are skipped. */
static inline CUtensorMap tensor_map(const void *, int, uint64_t, uint64_t, int, int, BoxSwizzle)
{
    fprintf(stderr, "tensor maps need CUDA 12.0 or newer\n");
    exit(EXIT_NO_DEVICE);
}

#endif

#endif
