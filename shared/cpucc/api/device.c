/*
 * The CUDA run-time API on the CPU: device properties, errors, functions. api.h lists the files
 * of the rest. Every operation is done when its call returns.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api.h"

static __thread cudaError_t last_error;
static cudaError_t broken; /* a kernel's error, which later calls return */

/* Writes the report and ends the program; a fault makes its status 1. */
static void at_exit(int status, void *unused)
{
    (void)unused;
    cpucc_open_memory();
    cpucc_say_unchecked_launch();
    cpucc_report_at_exit(status);
}

/* Sets the properties that the environment gives, before the program begins. */
__attribute__((constructor)) static void read_environment(void)
{
    struct device_figures *d = &cpucc_device;
    d->sms = (int)cpucc_number_from("CPUCC_SMS", (size_t)d->sms, 1 << 20);
    d->l2_bytes = (int)cpucc_number_from("CPUCC_L2", (size_t)d->l2_bytes, INT_MAX);
    d->memory = cpucc_number_from("CPUCC_MEMORY", d->memory, (size_t)1 << 50);
    d->shared_per_sm = cpucc_number_from("CPUCC_SHARED_PER_SM", d->shared_per_sm, INT_MAX);
    cpucc_stack_bytes = cpucc_number_from("CPUCC_STACK", cpucc_stack_bytes, (size_t)1 << 40);
    if (cpucc_stack_bytes < STACK_GUARD + 2 * STACK_RESERVE)
        cpucc_stack_bytes = STACK_GUARD + 2 * STACK_RESERVE;
    cpucc_stack_bytes &= ~(size_t)4095;
    if (getenv("CPUCC_NAME"))
        snprintf(d->name, sizeof d->name, "%s", getenv("CPUCC_NAME"));
}

void cpucc_device_start(void)
{
    if (cpucc_heap)
        return;
    cpucc_start_checks(); /* this call links checks.c, whose constructor then runs before main() */
    cpucc_heap_start();
    cpucc_shadow_start();
    cpucc_devices_start();
    on_exit(at_exit, NULL);
    cpucc_trace_start();
    cpucc_signals_start();
}

/* ---- errors ---- */

/* Whether later calls return this error, too. */
static bool sticky(cudaError_t e)
{
    return e == cudaErrorIllegalAddress || e == cudaErrorLaunchTimeout || e == cudaErrorAssert ||
           (e >= cudaErrorHardwareStackError && e <= cudaErrorLaunchFailure);
}

cudaError_t cpucc_error(cudaError_t e)
{
    if (sticky(e))
        broken = e;
    else if (e != cudaSuccess)
        last_error = e;
    return e;
}

/* Returns the error of a kernel that ran, for calls that wait for the device. They do not report a
 * refused launch; only cudaGetLastError and cudaPeekAtLastError do. */
cudaError_t cpucc_lasting_error(void) { return broken; }

cudaError_t cudaPeekAtLastError(void)
{
    cpucc_launch_checked();
    return broken ? broken : last_error;
}

cudaError_t cudaGetLastError(void)
{
    cudaError_t e = cudaPeekAtLastError();
    last_error = cudaSuccess;
    return e;
}

static const struct {
    cudaError_t value;
    const char *name, *text;
} errors[] = {
#define CPUCC_X(name, number, text) {name, #name, text},
    CPUCC_ERRORS(CPUCC_X)
#undef CPUCC_X
};

#define LOOK_UP(name, member)                                                                      \
    const char *name(cudaError_t e)                                                                \
    {                                                                                              \
        for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)                                \
            if (errors[i].value == e)                                                              \
                return errors[i].member;                                                           \
        return "unrecognized error code";                                                          \
    }
LOOK_UP(cudaGetErrorString, text)
LOOK_UP(cudaGetErrorName, name)

/* ---- device ---- */

cudaError_t cpucc_is_device(int d)
{
    return d >= 0 && d < cpucc_device_count ? cudaSuccess : cpucc_error(cudaErrorInvalidDevice);
}

cudaError_t cudaGetDeviceCount(int *n) { return GIVE(n, cpucc_device_count); }
cudaError_t cudaGetDevice(int *d) { return GIVE(d, cpucc_active_device); }
cudaError_t cudaSetDevice(int d)
{
    cudaError_t e = cpucc_is_device(d);
    if (!e)
        cpucc_active_device = d;
    return e;
}
cudaError_t cudaSetDeviceFlags(unsigned flags) { return (void)flags, cudaSuccess; }
cudaError_t cudaDeviceReset(void)
{
    for (int peer = 0; peer < cpucc_device_count; peer++)
        cpucc_enable_peer(cpucc_active_device, peer, false);
    return broken = last_error = cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) { return cpucc_synchronised(cpucc_active_device), broken; }

/* Limits are stored and have no effect. */
static size_t limits[] = {[cudaLimitStackSize] = 1024,
                          [cudaLimitPrintfFifoSize] = (size_t)8 << 20,
                          [cudaLimitMallocHeapSize] = (size_t)8 << 20,
                          [cudaLimitDevRuntimeSyncDepth] = 2,
                          [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                          [cudaLimitMaxL2FetchGranularity] = 64,
                          [cudaLimitPersistingL2CacheSize] = 0};
cudaError_t cudaDeviceSetLimit(cudaLimit l, size_t v)
{
    if ((size_t)l >= sizeof limits / sizeof *limits)
        return cpucc_error(cudaErrorUnsupportedLimit);
    return limits[l] = v, cudaSuccess;
}
cudaError_t cudaDeviceGetLimit(size_t *v, cudaLimit l)
{
    if ((size_t)l >= sizeof limits / sizeof *limits)
        return cpucc_error(cudaErrorUnsupportedLimit);
    return GIVE(v, limits[l]);
}
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache c) { return (void)c, cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *c) { return GIVE(c, cudaFuncCachePreferNone); }
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig c) { return (void)c, cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *c)
{
    return GIVE(c, cudaSharedMemBankSizeFourByte);
}
cudaError_t cudaGetDeviceFlags(unsigned *flags) { return GIVE(flags, cudaDeviceMapHost); }
cudaError_t cudaInitDevice(int d, unsigned flags, unsigned set)
{
    return (void)flags, (void)set, cudaSetDevice(d);
}
cudaError_t cudaSetValidDevices(int *list, int n)
{
    NEED(n >= 0 && (!n || list));
    for (int i = 0; i < n; i++)
        if (cpucc_is_device(list[i]))
            return cudaErrorInvalidDevice;
    return cudaSuccess;
}
cudaError_t cudaChooseDevice(int *d, const cudaDeviceProp *p)
{
    NEED(p);
    return GIVE(d, 0);
}
cudaError_t cudaDeviceGetPCIBusId(char *text, int capacity, int d)
{
    NEED(text && capacity > 0);
    snprintf(text, (size_t)capacity, "0000:%02x:00.0", (unsigned)d);
    return cpucc_is_device(d);
}
cudaError_t cudaDeviceGetByPCIBusId(int *d, const char *text)
{
    unsigned bus;
    NEED(text);
    if (sscanf(text, "%*x:%x:", &bus) != 1 || bus >= (unsigned)cpucc_device_count)
        return cpucc_error(cudaErrorInvalidDevice);
    return GIVE(d, (int)bus);
}
cudaError_t cudaDeviceFlushGPUDirectRDMAWrites(int target, int scope)
{
    return (void)target, (void)scope, cudaSuccess;
}
/* Former names of these functions, in CUDA 9 and older. */
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaDriverGetVersion(int *v) { return GIVE(v, CUDART_VERSION); }
cudaError_t cudaRuntimeGetVersion(int *v) { return GIVE(v, CUDART_VERSION); }
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; } /* cpucc has no L2 */

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *p, int device)
{
    NEED(p);
    if (cpucc_is_device(device))
        return cudaErrorInvalidDevice;
    cpucc_device_start();
    const struct device_figures *d = &cpucc_device;
    *p = (cudaDeviceProp){.totalGlobalMem = d->memory,
                          .sharedMemPerBlock = d->shared_per_block,
                          .regsPerBlock = 65536,
                          .warpSize = 32,
                          .memPitch = 0x7fffffff,
                          .maxThreadsPerBlock = 1024,
                          .maxThreadsDim = {1024, 1024, 64},
                          .maxGridSize = {0x7fffffff, 65535, 65535},
                          .clockRate = d->clock_khz,
                          .totalConstMem = 65536,
                          .major = d->major,
                          .minor = d->minor,
                          .textureAlignment = 512,
                          .multiProcessorCount = d->sms,
                          .canMapHostMemory = 1,
                          .concurrentKernels = 1,
                          .unifiedAddressing = 1,
                          .memoryClockRate = d->memory_clock_khz,
                          .memoryBusWidth = d->bus_bits,
                          .l2CacheSize = d->l2_bytes,
                          .maxThreadsPerMultiProcessor = d->threads_per_sm,
                          .sharedMemPerMultiprocessor = d->shared_per_sm,
                          .regsPerMultiprocessor = 65536,
                          .managedMemory = 1,
                          .concurrentManagedAccess = 1,
                          .cooperativeLaunch = 1,
                          .sharedMemPerBlockOptin = d->shared_per_block_optin,
                          .maxBlocksPerMultiProcessor = d->blocks_per_sm,
                          .clusterLaunch = 1,
                          .reservedSharedMemPerBlock = d->reserved_shared,
                          .asyncEngineCount = 3,
                          .ECCEnabled = 1,
                          .deviceOverlap = 1,
                          .texturePitchAlignment = 32,
                          .surfaceAlignment = 512,
                          .maxTexture1D = 131072,
                          .maxTexture1DMipmap = 32768,
                          .maxTexture1DLinear = 268435456,
                          .maxTexture2D = {131072, 65536},
                          .maxTexture2DMipmap = {32768, 32768},
                          .maxTexture2DLinear = {131072, 65000, 2097120},
                          .maxTexture2DGather = {32768, 32768},
                          .maxTexture3D = {16384, 16384, 16384},
                          .maxTextureCubemap = 32768,
                          .maxTexture1DLayered = {32768, 2048},
                          .maxTexture2DLayered = {32768, 32768, 2048},
                          .maxTextureCubemapLayered = {32768, 2046},
                          .maxSurface1D = 32768,
                          .maxSurface2D = {131072, 65536},
                          .maxSurface3D = {16384, 16384, 16384},
                          .persistingL2CacheMaxSize = d->l2_bytes * 3 / 4,
                          .accessPolicyMaxWindowSize = 134213632,
                          .streamPrioritiesSupported = 1,
                          .globalL1CacheSupported = 1,
                          .localL1CacheSupported = 1,
                          .singleToDoublePrecisionPerfRatio = 2,
                          .hostNativeAtomicSupported = 0,
                          .computePreemptionSupported = 1,
                          .canUseHostPointerForRegisteredMem = 1,
                          .cooperativeMultiDeviceLaunch = 1,
                          .hostRegisterSupported = 1,
                          .hostRegisterReadOnlySupported = 1,
                          .memoryPoolsSupported = 1};
    snprintf(p->name, sizeof p->name, "%s", d->name);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *v, cudaDeviceAttr attribute, int device)
{
    cudaDeviceProp p;
    NEED(v);
    if (cudaGetDeviceProperties(&p, device))
        return cudaErrorInvalidDevice;
    switch (attribute) {
#define CPUCC_X(name, number, field)                                                               \
    case name: *v = (int)p.field; break;
        CPUCC_ATTRIBUTES(CPUCC_X)
#undef CPUCC_X
#define CPUCC_X(name, number) case name:
        CPUCC_OTHER_ATTRIBUTES(CPUCC_X)
#undef CPUCC_X
        *v = 0;
        break;
    default: return cpucc_error(cudaErrorInvalidValue);
    }
    return cudaSuccess;
}

/* ---- functions ---- */

cudaError_t cpucc_set_function(const void *function, cudaFuncAttribute attribute, int value)
{
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed)
        cpucc_allow_large_clusters(function, value);
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize)
        return cudaSuccess;
    if (value < 0 || (size_t)value > cpucc_device.shared_per_block_optin)
        return cpucc_error(cudaErrorInvalidValue);
    cpucc_set_dynamic_limit(function, value);
    return cudaSuccess;
}

cudaError_t cpucc_get_function(cudaFuncAttributes *a, const void *function)
{
    NEED(a && function);
    *a = (cudaFuncAttributes){.maxThreadsPerBlock = 1024,
                              .numRegs = 32,
                              .ptxVersion = 90,
                              .binaryVersion = 90,
                              .maxDynamicSharedSizeBytes = (int)cpucc_dynamic_limit(function)};
    return cudaSuccess;
}

/* Sets *blocks to the number of blocks that fit on one SM, by threads and dynamic shared memory.
 * Registers and static shared memory are unknown and not considered. */
cudaError_t cpucc_occupancy(int *blocks, const void *function, int threads, size_t shared)
{
    NEED(blocks && function);
    if (threads < 1 || threads > 1024)
        return cpucc_error(cudaErrorInvalidValue);
    int warps = (threads + 31) / 32;
    int n = cpucc_device.threads_per_sm / 32 / warps;
    int by_shared = (int)(cpucc_device.shared_per_sm / (shared + cpucc_device.reserved_shared));
    n = n < by_shared ? n : by_shared;
    *blocks = n < cpucc_device.blocks_per_sm ? n : cpucc_device.blocks_per_sm;
    return cudaSuccess;
}

/* ---- driver entry points ---- */

void cuTensorMapEncodeTiled(void); /* tensor.c defines it with its real type */

cudaError_t cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned version,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *result)
{
    (void)version, (void)flags;
    NEED(name && function);
    bool found = !strcmp(name, "cuTensorMapEncodeTiled");
    *function = found ? (void *)cuTensorMapEncodeTiled : NULL;
    if (result)
        *result = found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return found ? cudaSuccess : cpucc_error(cudaErrorSymbolNotFound);
}

cudaError_t cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *result)
{
    return cudaGetDriverEntryPointByVersion(name, function, CUDART_VERSION, flags, result);
}
