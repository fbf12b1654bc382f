/* The functions of the CUDA run-time API that C can call: device.c has them. C11 and C++. */
#ifndef CPUCC_API_H
#define CPUCC_API_H

#include "driver_types.h"
#include <stddef.h>

#ifndef __cplusplus
typedef struct uint3 {
    unsigned x, y, z;
} uint3;
typedef struct dim3 {
    unsigned x, y, z;
} dim3;
#define CPUCC_C_VECTOR(T, name, bytes2, bytes4)                                                    \
    typedef struct name##2                                                                         \
    {                                                                                              \
        _Alignas(bytes2) T x;                                                                      \
        T y;                                                                                       \
    }                                                                                              \
    name##2;                                                                                       \
    typedef struct name##4                                                                         \
    {                                                                                              \
        _Alignas(bytes4) T x;                                                                      \
        T y, z, w;                                                                                 \
    }                                                                                              \
    name##4;
CPUCC_C_VECTOR(int, int, 8, 16)
CPUCC_C_VECTOR(unsigned, uint, 8, 16)
CPUCC_C_VECTOR(float, float, 8, 16)
CPUCC_C_VECTOR(double, double, 16, 16)
#endif

#ifdef __cplusplus
extern "C" {
#endif
#define CUDA_API(name, ...) cudaError_t name(__VA_ARGS__);
CUDA_API(cudaGetLastError, void)
CUDA_API(cudaPeekAtLastError, void)
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
CUDA_API(cudaGetDeviceCount, int *)
CUDA_API(cudaGetDevice, int *)
CUDA_API(cudaSetDevice, int)
CUDA_API(cudaSetDeviceFlags, unsigned)
CUDA_API(cudaDeviceReset, void)
CUDA_API(cudaDeviceSynchronize, void)
CUDA_API(cudaGetDeviceProperties, cudaDeviceProp *, int)
CUDA_API(cudaDeviceGetAttribute, int *, cudaDeviceAttr, int)
CUDA_API(cudaDeviceSetLimit, cudaLimit, size_t)
CUDA_API(cudaDeviceGetLimit, size_t *, cudaLimit)
CUDA_API(cudaDeviceSetCacheConfig, cudaFuncCache)
CUDA_API(cudaDriverGetVersion, int *)
CUDA_API(cudaRuntimeGetVersion, int *)
CUDA_API(cudaMemGetInfo, size_t *, size_t *)
CUDA_API(cudaMalloc, void **, size_t)
CUDA_API(cudaMallocAsync, void **, size_t, cudaStream_t)
CUDA_API(cudaMallocManaged, void **, size_t, unsigned)
CUDA_API(cudaMallocHost, void **, size_t)
CUDA_API(cudaHostAlloc, void **, size_t, unsigned)
CUDA_API(cudaHostGetDevicePointer, void **, void *, unsigned)
CUDA_API(cudaMallocPitch, void **, size_t *, size_t, size_t)
CUDA_API(cudaFree, void *)
CUDA_API(cudaFreeAsync, void *, cudaStream_t)
CUDA_API(cudaFreeHost, void *)
CUDA_API(cudaMemcpy, void *, const void *, size_t, cudaMemcpyKind)
CUDA_API(cudaMemcpyAsync, void *, const void *, size_t, cudaMemcpyKind, cudaStream_t)
CUDA_API(cudaMemcpy2D, void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind)
CUDA_API(cudaMemcpy2DAsync, void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind,
         cudaStream_t)
CUDA_API(cudaMemset, void *, int, size_t)
CUDA_API(cudaMemsetAsync, void *, int, size_t, cudaStream_t)
CUDA_API(cudaMemset2D, void *, size_t, int, size_t, size_t)
CUDA_API(cudaMemPrefetchAsync, const void *, size_t, int, cudaStream_t)
CUDA_API(cudaPointerGetAttributes, cudaPointerAttributes *, const void *)
CUDA_API(cudaEventCreate, cudaEvent_t *)
CUDA_API(cudaEventCreateWithFlags, cudaEvent_t *, unsigned)
CUDA_API(cudaEventDestroy, cudaEvent_t)
CUDA_API(cudaEventRecord, cudaEvent_t, cudaStream_t)
CUDA_API(cudaEventSynchronize, cudaEvent_t)
CUDA_API(cudaEventQuery, cudaEvent_t)
CUDA_API(cudaEventElapsedTime, float *, cudaEvent_t, cudaEvent_t)
CUDA_API(cudaStreamCreate, cudaStream_t *)
CUDA_API(cudaStreamCreateWithFlags, cudaStream_t *, unsigned)
CUDA_API(cudaStreamCreateWithPriority, cudaStream_t *, unsigned, int)
CUDA_API(cudaStreamDestroy, cudaStream_t)
CUDA_API(cudaStreamSynchronize, cudaStream_t)
CUDA_API(cudaStreamQuery, cudaStream_t)
CUDA_API(cudaStreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned)
CUDA_API(cudaCtxResetPersistingL2Cache, void)
CUDA_API(cudaProfilerStart, void)
CUDA_API(cudaProfilerStop, void)
CUDA_API(cudaGetDriverEntryPoint, const char *, void **, unsigned long long,
         cudaDriverEntryPointQueryResult *)
CUDA_API(cudaGetDriverEntryPointByVersion, const char *, void **, unsigned, unsigned long long,
         cudaDriverEntryPointQueryResult *)
#undef CUDA_API
#ifdef __cplusplus
}
#endif

#endif
