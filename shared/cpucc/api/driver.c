/*
 * Implements the driver API's questions about devices, errors and memory. It has no contexts and modules;
 * tensor maps are in execution/tensor.c.
 */
#include <stdio.h>
#include <string.h>
#include "../include/cuda.h"
#include "api.h"

CUresult cuInit(unsigned flags) { return flags ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS; }

CUresult cuDriverGetVersion(int *version)
{
    return version ? *version = CUDA_VERSION, CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* ---- errors; their numbers are those of the run-time API ---- */

CUresult cuGetErrorName(CUresult result, const char **text)
{
#define ROW(name)                                                                                  \
    {                                                                                              \
        name, #name                                                                                \
    }
    static const struct {
        CUresult result;
        const char *name;
    } known[] = {ROW(CUDA_SUCCESS),
                 ROW(CUDA_ERROR_INVALID_VALUE),
                 ROW(CUDA_ERROR_OUT_OF_MEMORY),
                 ROW(CUDA_ERROR_NOT_INITIALIZED),
                 ROW(CUDA_ERROR_NO_DEVICE),
                 ROW(CUDA_ERROR_INVALID_DEVICE),
                 ROW(CUDA_ERROR_INVALID_CONTEXT),
                 ROW(CUDA_ERROR_NOT_FOUND),
                 ROW(CUDA_ERROR_NOT_READY),
                 ROW(CUDA_ERROR_ILLEGAL_ADDRESS),
                 ROW(CUDA_ERROR_LAUNCH_FAILED),
                 ROW(CUDA_ERROR_NOT_SUPPORTED),
                 ROW(CUDA_ERROR_UNKNOWN)};
#undef ROW
    for (size_t i = 0; text && i < sizeof known / sizeof *known; i++)
        if (known[i].result == result)
            return *text = known[i].name, CUDA_SUCCESS;
    return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult result, const char **text)
{
    const char *words = cudaGetErrorString((cudaError_t)result);
    if (!text || !strcmp(words, "unrecognized error code"))
        return CUDA_ERROR_INVALID_VALUE;
    return *text = words, CUDA_SUCCESS;
}

/* ---- devices ---- */

CUresult cuDeviceGetCount(int *count)
{
    cpucc_device_start();
    return count ? *count = cpucc_device_count, CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGet(CUdevice *device, int number)
{
    cpucc_device_start();
    if (!device)
        return CUDA_ERROR_INVALID_VALUE;
    return *device = number, (CUresult)cpucc_is_device(number);
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
    cudaDeviceProp p;
    CUresult e = (CUresult)cudaGetDeviceProperties(&p, device);
    if (!e && name && bytes > 0)
        snprintf(name, (size_t)bytes, "%s", p.name);
    return e;
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
    cudaDeviceProp p;
    CUresult e = (CUresult)cudaGetDeviceProperties(&p, device);
    if (!e && bytes)
        *bytes = p.totalGlobalMem;
    return e;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    return (CUresult)cudaDeviceGetAttribute(value, (cudaDeviceAttr)attribute, device);
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
    CUresult e = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return e ? e
             : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
    return (CUresult)cudaMemGetInfo(free_bytes, total);
}

/* ---- memory ---- */

/* Sets *base and *bytes (each may be NULL) to the allocation that p lies in. */
CUresult cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr p)
{
    const struct allocation *x = cpucc_allocation_near((uintptr_t)p);
    if (!x || x->freed || (uintptr_t)p - (uintptr_t)x->start >= x->bytes)
        return CUDA_ERROR_INVALID_VALUE;
    if (base)
        *base = (CUdeviceptr)(uintptr_t)x->start;
    if (bytes)
        *bytes = x->bytes;
    return CUDA_SUCCESS;
}
