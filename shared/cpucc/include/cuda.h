/*
 * Declares the supported part of the CUDA driver API: tensor maps, and questions about devices, errors and
 * memory (CUDA Driver API documentation). For C11 and C++17.
 */
#ifndef CPUCC_CUDA_H
#define CPUCC_CUDA_H

#include <stddef.h>
#include <stdint.h>
#include "cpucc_driver_enumerations.h"

#define CUDA_VERSION 12050
#define CUDAAPI

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;
typedef int CUdevice;
typedef unsigned long long CUdeviceptr;

typedef struct CUtensorMap {
    __attribute__((__aligned__(64))) cuuint64_t opaque[16];
} CUtensorMap;

typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef union CUlaunchAttributeValue_union {
    char pad[64];
    int cooperative, priority, programmaticStreamSerializationAllowed;
    struct {
        unsigned x, y, z;
    } clusterDim, preferredClusterDim;
    CUclusterSchedulingPolicy clusterSchedulingPolicyPreference;
    struct {
        CUevent event;
        int flags, triggerAtBlockStart;
    } programmaticEvent;
} CUlaunchAttributeValue;
typedef struct CUlaunchAttribute_st {
    CUlaunchAttributeID id;
    char pad[4];
    CUlaunchAttributeValue value;
} CUlaunchAttribute;

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuTensorMapEncodeTiled(CUtensorMap *__map, CUtensorMapDataType type, cuuint32_t rank,
                                void *address, const cuuint64_t *__dims,
                                const cuuint64_t *__strides, const cuuint32_t *__box,
                                const cuuint32_t *__element_strides,
                                CUtensorMapInterleave __interleave, CUtensorMapSwizzle __swizzle,
                                CUtensorMapL2promotion __promotion, CUtensorMapFloatOOBfill fill);
CUresult cuInit(unsigned flags);
CUresult cuDriverGetVersion(int *__version);
#define cuMemGetAddressRange cuMemGetAddressRange_v2
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr p);
CUresult cuGetErrorString(CUresult result, const char **__text);
CUresult cuGetErrorName(CUresult result, const char **__text);
CUresult cuDeviceGetCount(int *count);
CUresult cuDeviceGet(CUdevice *device, int __number);
CUresult cuDeviceGetName(char *name, int bytes, CUdevice device);
#define cuDeviceTotalMem cuDeviceTotalMem_v2
CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device);
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
#define cuMemGetInfo cuMemGetInfo_v2
CUresult cuMemGetInfo(size_t *__free_bytes, size_t *total);
#ifdef __cplusplus
}
#endif

typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap *, CUtensorMapDataType,
                                                      cuuint32_t, void *, const cuuint64_t *,
                                                      const cuuint64_t *, const cuuint32_t *,
                                                      const cuuint32_t *, CUtensorMapInterleave,
                                                      CUtensorMapSwizzle, CUtensorMapL2promotion,
                                                      CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;
/* The type alone: cudaGetDriverEntryPoint finds no cuTensorMapEncodeIm2col. */
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(
    CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *, const cuuint64_t *, const cuuint64_t *,
    const int *, const int *, cuuint32_t, cuuint32_t, const cuuint32_t *, CUtensorMapInterleave,
    CUtensorMapSwizzle, CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeIm2col_v12000 PFN_cuTensorMapEncodeIm2col;

#endif
