/*
 * The CUDA run-time API as C++ sees it: what C++ adds to cpucc_api.h, and launches, which clang
 * writes as calls of frontend/launches.c.
 */
#ifndef CPUCC_HOST_H
#define CPUCC_HOST_H

#include "cpucc_api.h"
#include <utility>

/* What a launch asks for; name is the kernel's, with its template arguments, blanks removed. */
struct cpucc_config {
    const char *name;
    uint3 grid, block, cluster;
    size_t shared;
    cudaStream_t stream;
    int cooperative;
    const void *function; /* the kernel's address, or 0 where it is not known */
};

struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

extern "C" {
/* Run body(arguments) for every thread. arguments .. + bytes may be read by the body. */
cudaError_t cpucc_run(const cpucc_config *config, void (*body)(void *), void *arguments,
                      size_t bytes);

#define CUDA_API(name, ...) cudaError_t name(__VA_ARGS__);
CUDA_API(cpucc_symbol_copy, void *symbol, size_t size, size_t offset, void *host, size_t bytes,
         int to_device)
CUDA_API(cpucc_set_function, const void *function, cudaFuncAttribute, int value)
CUDA_API(cpucc_get_function, cudaFuncAttributes *, const void *function)
CUDA_API(cpucc_occupancy, int *blocks, const void *function, int threads, size_t shared)
CUDA_API(cpucc_error, cudaError_t) /* record as the last error and return it */
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
cudaError_t cudaHostAlloc(T **p, size_t n, unsigned f)
{
    return cudaHostAlloc((void **)p, n, f);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T **p, void *h, unsigned f)
{
    return cudaHostGetDevicePointer((void **)p, h, f);
}
template <class T>
cudaError_t cudaMallocManaged(T **p, size_t n, unsigned f = 1)
{
    return cudaMallocManaged((void **)p, n, f);
}
template <class T>
cudaError_t cudaMallocPitch(T **p, size_t *pitch, size_t w, size_t h)
{
    return cudaMallocPitch((void **)p, pitch, w, h);
}
static inline cudaError_t cudaMemcpyAsync(void *d, const void *s, size_t n, cudaMemcpyKind k)
{
    return cudaMemcpyAsync(d, s, n, k, 0);
}
static inline cudaError_t cudaMemsetAsync(void *d, int v, size_t n)
{
    return cudaMemsetAsync(d, v, n, 0);
}
static inline cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int d)
{
    return cudaMemPrefetchAsync(p, n, d, 0);
}
static inline cudaError_t cudaEventRecord(cudaEvent_t e) { return cudaEventRecord(e, 0); }
static inline cudaError_t cudaEventCreate(cudaEvent_t *e, unsigned f)
{
    return cudaEventCreateWithFlags(e, f);
}
static inline cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e)
{
    return cudaStreamWaitEvent(s, e, 0);
}
template <class T>
cudaError_t cudaGetDriverEntryPoint(const char *n, T **f, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult *r = 0)
{
    return cudaGetDriverEntryPoint(n, (void **)f, flags, r);
}
template <class T>
cudaError_t cudaGetDriverEntryPointByVersion(const char *n, T **f, unsigned v,
                                             unsigned long long flags,
                                             cudaDriverEntryPointQueryResult *r = 0)
{
    return cudaGetDriverEntryPointByVersion(n, (void **)f, v, flags, r);
}

/* ---- __device__ and __constant__ variables by name ---- */

#ifdef __CUDA__
/* Where the device has the variable that the host knows by its shadow. */
extern "C" cudaError_t cpucc_symbol(const void *shadow, void **address);
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
cudaError_t cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind = cudaMemcpyDeviceToHost)
{
    return cpucc_symbol_copy(cpucc_device_address(symbol), sizeof symbol, offset, to, bytes, 0);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void **p, const T &symbol)
{
    *p = cpucc_device_address(symbol);
    return *p ? cudaSuccess : cudaErrorInvalidSymbol;
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t *n, const T &symbol)
{
    *n = sizeof symbol;
    return cudaSuccess;
}

/* ---- kernels as values ---- */

template <class F>
cudaError_t cudaFuncSetAttribute(F *f, cudaFuncAttribute a, int value)
{
    return cpucc_set_function((const void *)f, a, value);
}
template <class F>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *a, F *f)
{
    return cpucc_get_function(a, (const void *)f);
}
template <class F>
cudaError_t cudaFuncSetCacheConfig(F *, cudaFuncCache)
{
    return cudaSuccess;
}
template <class F>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F *f, int threads,
                                                          size_t shared)
{
    return cpucc_occupancy(blocks, (const void *)f, threads, shared);
}
template <class F>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, F *f, size_t shared = 0,
                                               int limit = 0)
{
    int blocks = 0, sms = 0;
    *block = limit > 0 && limit < 1024 ? limit : 1024;
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaError_t e = cpucc_occupancy(&blocks, (const void *)f, *block, shared);
    *grid = blocks * sms;
    return e;
}

/* ---- launches ---- */

#ifdef __CUDA__
extern "C" {
/* What clang makes of kernel<<<...>>>(...): the configuration, then a call of the kernel's stub. */
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0,
                                     cudaStream_t stream = 0);
cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared = 0, cudaStream_t stream = 0);
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *how, const void *kernel,
                                void **arguments);
}
template <class F>
static inline cudaError_t cudaLaunchKernel(F *kernel, dim3 grid, dim3 block, void **arguments,
                                           size_t shared = 0, cudaStream_t stream = 0)
{
    return cudaLaunchKernel((const void *)kernel, grid, block, arguments, shared, stream);
}
template <class F>
static inline cudaError_t cudaLaunchCooperativeKernel(F *kernel, dim3 grid, dim3 block,
                                                      void **arguments, size_t shared = 0,
                                                      cudaStream_t stream = 0)
{
    const void *k = (const void *)kernel;
    return cudaLaunchCooperativeKernel(k, grid, block, arguments, shared, stream);
}
template <class T>
struct cpucc_type {
    typedef T type; /* not deduced: the kernel alone says what the parameters are */
};
template <class... P>
static inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *how, void (*kernel)(P...),
                                             typename cpucc_type<P>::type... arguments)
{
    void *pointers[] = {(void *)&arguments..., nullptr};
    return cudaLaunchKernelExC(how, (const void *)kernel, pointers);
}
template <class F>
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, F *f, const cudaLaunchConfig_t *how)
{
    int blocks = 0, sms = 0, size = 1;
    for (unsigned i = 0; i < how->numAttrs; i++)
        if (how->attrs[i].id == cudaLaunchAttributeClusterDimension)
            size = (int)(how->attrs[i].val.clusterDim.x * how->attrs[i].val.clusterDim.y *
                         how->attrs[i].val.clusterDim.z);
    cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
    cudaError_t e = cpucc_occupancy(&blocks, (const void *)f,
                                    (int)(how->blockDim.x * how->blockDim.y * how->blockDim.z),
                                    how->dynamicSmemBytes);
    *clusters = blocks * sms / size;
    return e;
}
#endif /* __CUDA__ */

#endif
