/*
 * Declares the C++ part of the CUDA run-time API: what C++ adds to cpucc_api.h, and launches, which
 * clang turns into calls of api/launches.c.
 */
#ifndef CPUCC_HOST_H
#define CPUCC_HOST_H

#include "cpucc_api.h"
#include <utility>

/* Inlined into the program's functions, so that the run time's caller is the program's line. */
#ifdef __clang__
#pragma clang attribute push(__attribute__((__always_inline__)), apply_to = function)
#endif

/* A launch's parameters; `name` is the kernel's with its template arguments, without blanks. */
struct cpucc_config {
    const char *name;
    uint3 __grid, __block, __cluster;
    size_t __shared;
    cudaStream_t stream;
    int cooperative;
    const void *__function; /* the kernel's address, or 0 if it is not known */
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

extern "C" {
/* Runs body(arguments) for every thread. The body may read `bytes` bytes at `arguments`. */
cudaError_t cpucc_run(const cpucc_config *config, void (*__body)(void *), void *__arguments,
                      size_t bytes);

#define CUDA_API(name, ...) cudaError_t name(__VA_ARGS__);
CUDA_API(cpucc_symbol_copy, void *symbol, size_t size, size_t offset, void *host, size_t bytes,
         int __to_device)
CUDA_API(cpucc_set_function, const void *__function, cudaFuncAttribute, int value)
CUDA_API(cpucc_get_function, cudaFuncAttributes *, const void *__function)
CUDA_API(cpucc_occupancy, int *__blocks, const void *__function, int __threads, size_t __shared)
CUDA_API(cpucc_error, cudaError_t) /* records the error as the last one and returns it */
#undef CUDA_API
}

/* ---- default arguments and overloads that CUDA's C++ interface adds ---- */

template <class T>
cudaError_t cudaMalloc(T **p, size_t n)
{
    return cudaMalloc((void **)p, n);
}
template <class T>
cudaError_t cudaMallocAsync(T **p, size_t n, cudaStream_t s)
{
    return cudaMallocAsync((void **)p, n, s);
}
template <class T>
cudaError_t cudaMallocHost(T **p, size_t n, unsigned = 0)
{
    return cudaMallocHost((void **)p, n);
}
template <class T>
cudaError_t cudaHostAlloc(T **p, size_t n, unsigned f = 0)
{
    return cudaHostAlloc((void **)p, n, f);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T **p, void *h, unsigned f = 0)
{
    return cudaHostGetDevicePointer((void **)p, h, f);
}
template <class T>
cudaError_t cudaMallocManaged(T **p, size_t n, unsigned f = 1)
{
    return cudaMallocManaged((void **)p, n, f);
}
template <class T>
cudaError_t cudaMallocFromPoolAsync(T **p, size_t n, cudaMemPool_t __pool, cudaStream_t s)
{
    return cudaMallocFromPoolAsync((void **)p, n, __pool, s);
}
template <class T>
cudaError_t cudaMallocAsync(T **p, size_t n, cudaMemPool_t __pool, cudaStream_t s)
{
    return cudaMallocFromPoolAsync((void **)p, n, __pool, s);
}
template <class T>
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, T *p, size_t n = 0,
                                     unsigned flags = cudaMemAttachSingle)
{
    return cudaStreamAttachMemAsync(s, (void *)p, n, flags);
}
template <class T>
cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t w, size_t h)
{
    return cudaMallocPitch((void **)p, pitch, w, h);
}
static inline cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned f)
{
    return cudaEventCreateWithFlags(e, f);
}
template <class T>
cudaError_t cudaGetDriverEntryPoint(const char *n, T **f, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *__r = 0)
{
    return cudaGetDriverEntryPoint(n, (void **)f, flags, __r);
}
template <class T>
cudaError_t cudaGetDriverEntryPointByVersion(const char *n, T **f, unsigned v,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *__r = 0)
{
    return cudaGetDriverEntryPointByVersion(n, (void **)f, v, flags, __r);
}

/* ---- __device__ and __constant__ variables by name ---- */

#ifdef __CUDA__
/* Sets *address to the device variable for the host's shadow. */
extern "C" cudaError_t cpucc_symbol(const void *__shadow, void **address);
template <class T>
void *cpucc_device_address(const T &symbol)
{
    void *p = 0;
    cpucc_symbol((const void *)&symbol, &p);
    return p;
}
#endif

template <class T>
cudaError_t cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind = cudaMemcpyHostToDevice)
{
    return cpucc_symbol_copy(cpucc_device_address(symbol), sizeof symbol, offset, (void *)from,
                             bytes, 1);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset,
                                    cudaMemcpyKind, cudaStream_t = 0)
{
    return cpucc_symbol_copy(cpucc_device_address(symbol), sizeof symbol, offset, (void *)from,
                             bytes, 1);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset,
                                      cudaMemcpyKind, cudaStream_t = 0)
{
    return cpucc_symbol_copy(cpucc_device_address(symbol), sizeof symbol, offset, to, bytes, 0);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    return cpucc_symbol_copy(cpucc_device_address(symbol), sizeof symbol, offset, to, bytes, 0);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
    void *address = cpucc_device_address(symbol);
    if (p)
        *p = address;
    return cpucc_error(!p ? cudaErrorInvalidValue : address ? cudaSuccess : cudaErrorInvalidSymbol);
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t *n, const T &symbol)
{
    if (n)
        *n = sizeof symbol;
    return cpucc_error(n ? cudaSuccess : cudaErrorInvalidValue);
}

/* ---- kernels as values ---- */

template <class _F>
cudaError_t cudaFuncSetAttribute(_F *f, cudaFuncAttribute a, int value)
{
    return cpucc_set_function((const void *)f, a, value);
}
template <class _F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, _F *f)
{
    return cpucc_get_function(a, (const void *)f);
}
template <class _F>
cudaError_t cudaFuncSetCacheConfig(_F *, cudaFuncCache)
{
    return cudaSuccess;
}
template <class _F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *__blocks, _F *f, int __threads,
                                                          size_t __shared)
{
    return cpucc_occupancy(__blocks, (const void *)f, __threads, __shared);
}
template <class _F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *__grid, int *__block, _F *f,
                                               size_t __shared = 0, int limit = 0)
{
    int __blocks = 0, __sms = 0;
    if (!__grid || !__block)
        return cpucc_error(cudaErrorInvalidValue);
    *__block = limit > 0 && limit < 1024 ? limit : 1024;
    cudaDeviceGetAttribute(&__sms, cudaDevAttrMultiProcessorCount, 0);
    cudaError_t e = cpucc_occupancy(&__blocks, (const void *)f, *__block, __shared);
    *__grid = __blocks * __sms;
    return e;
}

template <class _F>
cudaError_t cudaFuncSetSharedMemConfig(_F *, cudaSharedMemConfig)
{
    return cudaSuccess;
}
template <class _F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *__blocks, _F *f,
                                                                   int __threads, size_t __shared,
                                                                   unsigned)
{
    return cpucc_occupancy(__blocks, (const void *)f, __threads, __shared);
}
/* Finds the block size with the most threads per SM; shared(size) is a block's shared bytes. */
template <class _F, class _S>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *__grid, int *__block, _F *f,
                                                           _S __shared, int limit = 0)
{
    int __best = 0, __sms = 0;
    if (!__grid || !__block)
        return cpucc_error(cudaErrorInvalidValue);
    *__block = 0;
    cudaDeviceGetAttribute(&__sms, cudaDevAttrMultiProcessorCount, 0);
    for (int n = limit > 0 && limit < 1024 ? limit : 1024; n > 0; n = (n - 1) / 32 * 32) {
        int __blocks = 0;
        if (!cpucc_occupancy(&__blocks, (const void *)f, n, __shared(n)) && __blocks * n > __best)
            __best = __blocks * n, *__block = n, *__grid = __blocks * __sms;
    }
    return __best ? cudaSuccess : cudaErrorInvalidValue;
}
template <class _F>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int *__grid, int *__block, _F *f,
                                                        size_t __shared, int limit, unsigned)
{
    return cudaOccupancyMaxPotentialBlockSize(__grid, __block, f, __shared, limit);
}
template <class _F>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, _F *f, int __blocks,
                                                      int __threads)
{
    int __fit = 0, __per_sm = 0, reserved = 0;
    if (!bytes)
        return cpucc_error(cudaErrorInvalidValue);
    cudaDeviceGetAttribute(&__per_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    cudaDeviceGetAttribute(&reserved, cudaDevAttrReservedSharedMemoryPerBlock, 0);
    *bytes = 0;
    if (cudaError_t e = cpucc_occupancy(&__fit, (const void *)f, __threads, 0))
        return e;
    if (__blocks < 1 || __blocks > __fit)
        return cudaErrorInvalidValue;
    *bytes = (size_t)(__per_sm / __blocks - reserved);
    return cudaSuccess;
}

/* CUDA 13's forms, which give a location as a struct. */
static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, cudaMemLocation to,
                                               unsigned, cudaStream_t s = 0)
{
    return cudaMemPrefetchAsync(p, n, to.type == cudaMemLocationTypeDevice ? to.id : -1, s);
}
static inline cudaError_t cudaMemAdvise(const void *p, size_t n, cudaMemoryAdvise advice,
                                        cudaMemLocation to)
{
    return cudaMemAdvise(p, n, advice, to.type == cudaMemLocationTypeDevice ? to.id : -1);
}

#include "channel_descriptor.h"

/* ---- graphs ---- */

/* CUDA 12's form, and that of CUDA 11. */
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *x, cudaGraph_t __g,
                                               unsigned long long flags = 0)
{
    return cudaGraphInstantiateWithFlags(x, __g, flags);
}
static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *x, cudaGraph_t __g,
                                               cudaGraphNode_t *, char *, size_t)
{
    return cudaGraphInstantiateWithFlags(x, __g, 0);
}

/* A graph node of any kind: `type` says which member holds its parameters. */
typedef cudaKernelNodeParams cudaKernelNodeParamsV2;
typedef cudaMemsetParams cudaMemsetParamsV2;
typedef cudaHostNodeParams cudaHostNodeParamsV2;
struct cudaMemcpyNodeParams {
    int flags, reserved[3];
    cudaMemcpy3DParms copyParams;
};
struct cudaChildGraphNodeParams {
    cudaGraph_t graph;
};
struct cudaEventRecordNodeParams {
    cudaEvent_t event;
};
typedef cudaEventRecordNodeParams cudaEventWaitNodeParams;
struct cudaMemFreeNodeParams {
    void *dptr;
};
struct cudaGraphNodeParams {
    cudaGraphNodeType type;
    int reserved0[3];
    union {
        long long reserved1[32];
        cudaKernelNodeParams kernel;
        cudaMemcpyNodeParams memcpy;
        cudaMemsetParams memset;
        cudaHostNodeParams host;
        cudaChildGraphNodeParams graph;
        cudaEventWaitNodeParams eventWait;
        cudaEventRecordNodeParams eventRecord;
        cudaMemAllocNodeParams alloc;
        cudaMemFreeNodeParams free;
        cudaConditionalNodeParams conditional;
    };
};
struct cudaGraphEdgeData {
    unsigned char from_port, to_port, type, reserved[5];
};
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *n, cudaGraph_t __g,
                                           const cudaGraphNode_t *__after, size_t count,
                                           cudaGraphNodeParams *p)
{
    if (!p)
        return cpucc_error(cudaErrorInvalidValue);
    switch (p->type) {
    case cudaGraphNodeTypeKernel: return cudaGraphAddKernelNode(n, __g, __after, count, &p->kernel);
    case cudaGraphNodeTypeMemcpy:
        return cudaGraphAddMemcpyNode(n, __g, __after, count, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset: return cudaGraphAddMemsetNode(n, __g, __after, count, &p->memset);
    case cudaGraphNodeTypeHost: return cudaGraphAddHostNode(n, __g, __after, count, &p->host);
    case cudaGraphNodeTypeGraph:
        return cudaGraphAddChildGraphNode(n, __g, __after, count, p->graph.graph);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(n, __g, __after, count);
    case cudaGraphNodeTypeWaitEvent:
        return cudaGraphAddEventWaitNode(n, __g, __after, count, p->eventWait.event);
    case cudaGraphNodeTypeEventRecord:
        return cudaGraphAddEventRecordNode(n, __g, __after, count, p->eventRecord.event);
    case cudaGraphNodeTypeMemAlloc:
        return cudaGraphAddMemAllocNode(n, __g, __after, count, &p->alloc);
    case cudaGraphNodeTypeMemFree:
        return cudaGraphAddMemFreeNode(n, __g, __after, count, p->free.dptr);
    case cudaGraphNodeTypeConditional:
        return cpucc_add_conditional(n, __g, __after, count, &p->conditional);
    default: return cudaErrorNotSupported;
    }
}
/* CUDA 13's forms with edge data, which cpucc ignores: nodes run one after the other. */
static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus *status,
                                                   unsigned long long *id, cudaGraph_t *graph,
                                                   const cudaGraphNode_t **__after,
                                                   const cudaGraphEdgeData **__edges, size_t *count)
{
    if (__edges)
        *__edges = 0;
    return cudaStreamGetCaptureInfo(s, status, id, graph, __after, count);
}
static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s,
                                                              cudaGraphNode_t *nodes,
                                                              const cudaGraphEdgeData *,
                                                              size_t count, unsigned flags = 0)
{
    return cudaStreamUpdateCaptureDependencies(s, nodes, count, flags);
}
static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t __g, const cudaGraphNode_t *from,
                                                   const cudaGraphNode_t *to,
                                                   const cudaGraphEdgeData *, size_t count)
{
    return cudaGraphAddDependencies(__g, from, to, count);
}
static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *n, cudaGraph_t __g,
                                           const cudaGraphNode_t *__after,
                                           const cudaGraphEdgeData *, size_t count,
                                           cudaGraphNodeParams *p)
{
    return cudaGraphAddNode(n, __g, __after, count, p);
}
static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t x, cudaGraph_t __g,
                                              cudaGraphNode_t *node,
                                              cudaGraphExecUpdateResult *result)
{
    cudaGraphExecUpdateResultInfo info;
    cudaError_t e = cudaGraphExecUpdate(x, __g, &info);
    *result = info.result;
    if (node)
        *node = info.errorNode;
    return e;
}

/* ---- loads by the host; compile.c inserts the calls ---- */

extern "C" {
extern size_t cpucc_unwritten_bytes;
void cpucc_host_reads(const void *p, size_t bytes);
inline __attribute__((__used__)) void cpucc_host_load(const void *p, size_t bytes)
{
    if (__builtin_expect(cpucc_unwritten_bytes != 0, 0))
        cpucc_host_reads(p, bytes);
}
}

/* ---- launches ---- */

#ifdef __CUDA__
extern "C" {
/* clang turns kernel<<<...>>>(...) into this call, followed by a call of the kernel's stub. */
unsigned __cudaPushCallConfiguration(dim3 __grid, dim3 __block, size_t __shared = 0,
                                     cudaStream_t stream = 0);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 __grid, dim3 __block, void **__arguments,
                             size_t __shared = 0, cudaStream_t stream = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 __grid, dim3 __block,
                                        void **__arguments, size_t __shared = 0,
                                        cudaStream_t stream = 0);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *__how, const void *kernel,
                                void **__arguments);
}
template <class _F>
static inline cudaError_t cudaLaunchKernel(_F *kernel, dim3 __grid, dim3 __block,
                                           void **__arguments, size_t __shared = 0,
                                           cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, __grid, __block, __arguments, __shared, stream);
}
template <class _F>
static inline cudaError_t cudaLaunchCooperativeKernel(_F *kernel, dim3 __grid, dim3 __block,
                                                      void **__arguments, size_t __shared = 0,
                                                      cudaStream_t stream = 0)
{
    const void *__k = (const void *)kernel;
    return cudaLaunchCooperativeKernel(__k, __grid, __block, __arguments, __shared, stream);
}
template <class T>
struct cpucc_type {
    typedef T type; /* not deduced: only the kernel determines the parameters' types */
};
template <class... _P>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *__how, void (*kernel)(_P...),
                                             typename cpucc_type<_P>::type... __arguments)
{
    void *__pointers[] = {(void *)&__arguments..., nullptr};
    return cudaLaunchKernelExC(__how, (const void *)kernel, __pointers);
}
template <class _F>
cudaError_t cudaOccupancyMaxActiveClusters(int *__clusters, _F *f, const cudaLaunchConfig_t *__how)
{
    int __blocks = 0, __sms = 0, size = 1;
    for (unsigned __i = 0; __i < __how->numAttrs; __i++)
        if (__how->attrs[__i].id == cudaLaunchAttributeClusterDimension)
            size = (int)(__how->attrs[__i].val.clusterDim.x * __how->attrs[__i].val.clusterDim.y *
                         __how->attrs[__i].val.clusterDim.z);
    cudaDeviceGetAttribute(&__sms, cudaDevAttrMultiProcessorCount, 0);
    cudaError_t e = cpucc_occupancy(
        &__blocks, (const void *)f,
        (int)(__how->blockDim.x * __how->blockDim.y * __how->blockDim.z), __how->dynamicSmemBytes);
    *__clusters = __blocks * __sms / size;
    return e;
}
#endif /* __CUDA__ */

#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
