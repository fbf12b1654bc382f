/*
 * Implements the run-time API's memory functions beyond cudaMalloc: host memory that kernels may
 * use (cudaHostRegister, __managed__ variables), pools, advice, copies and fills in streams. Calls
 * that need another process return errors.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api.h"

/* ---- registered host memory ---- */

cudaError_t cudaHostRegister(void *p, size_t bytes, unsigned flags)
{
    (void)flags;
    cpucc_device_start();
    NEED(bytes && cpucc_is_mapped(p, bytes));
    NEED((char *)p + bytes <= cpucc_heap || (char *)p >= cpucc_heap_end);
    if (cpucc_seen_record((uintptr_t)p))
        return cpucc_error(cudaErrorHostMemoryAlreadyRegistered);
    return cpucc_register(p, bytes) ? cudaSuccess
                                    : cpucc_error(cudaErrorHostMemoryAlreadyRegistered);
}

cudaError_t cudaHostUnregister(void *p)
{
    NEED(p);
    return cpucc_unregister(p) ? cudaSuccess : cpucc_error(cudaErrorHostMemoryNotRegistered);
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *p)
{
    NEED(cpucc_seen_record((uintptr_t)p));
    return GIVE(flags, cudaHostAllocMapped);
}

/* ---- advice: no effect, because cpucc does not model time ---- */

cudaError_t cudaMemAdvise(const void *p, size_t bytes, cudaMemoryAdvise advice, int device)
{
    (void)advice, (void)device;
    return cpucc_all_allocated((uintptr_t)p, bytes) ? cudaSuccess
                                                    : cpucc_error(cudaErrorInvalidValue);
}

/* ---- pools ---- */

struct cpucc_memory_pool {
    int device;
    unsigned *access; /* mask of other devices that may use its memory; outlives the pool */
    uint64_t attribute[16];
};
static cudaMemPool_t chosen_pools[MAX_DEVICES]; /* by device; NULL: the default pool */

static cudaMemPool_t new_pool(int device)
{
    cudaMemPool_t pool = cpucc_new_handle(POOL, sizeof *pool);
    pool->device = device;
    pool->access = cpucc_nonnull(calloc(1, sizeof *pool->access));
    return pool;
}

static cudaMemPool_t default_pool(int device)
{
    static cudaMemPool_t pools[MAX_DEVICES];
    if (!pools[device])
        pools[device] = new_pool(device);
    return pools[device];
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device)
{
    cudaError_t e = cpucc_is_device(device);
    NEED(pool);
    if (!e)
        *pool = default_pool(device);
    return e;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device)
{
    cudaError_t e = cudaDeviceGetDefaultMemPool(pool, device);
    if (!e && chosen_pools[device])
        *pool = chosen_pools[device];
    return e;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool)
{
    NEED_HANDLE(POOL, pool);
    cudaError_t e = cpucc_is_device(device);
    if (!e)
        chosen_pools[device] = pool;
    return e;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const cudaMemPoolProps *how)
{
    NEED(pool && how);
    if (how->handleTypes)
        return cpucc_unsupported("a memory pool for other processes (IPC)");
    if (how->location.type == cudaMemLocationTypeDevice && cpucc_is_device(how->location.id))
        return cudaErrorInvalidDevice;
    *pool = new_pool(how->location.type == cudaMemLocationTypeDevice ? how->location.id : 0);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool)
{
    NEED_HANDLE(POOL, pool);
    NEED(pool != default_pool(pool->device));
    for (int d = 0; d < cpucc_device_count; d++)
        if (pool == chosen_pools[d])
            chosen_pools[d] = NULL;
    return cpucc_end_handle(pool), cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes)
{
    (void)bytes;
    return cpucc_check_handle(pool, POOL);
}

/* Attributes below cudaMemPoolAttrReleaseThreshold are int, the others uint64_t. */
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr a, void *value)
{
    NEED_HANDLE(POOL, pool);
    NEED((unsigned)a < 16 && value);
    bool wide = a >= cudaMemPoolAttrReleaseThreshold;
    pool->attribute[a] = wide ? *(uint64_t *)value : (uint64_t) * (int *)value;
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr a, void *value)
{
    NEED_HANDLE(POOL, pool);
    NEED((unsigned)a < 16 && value);
    if (a >= cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)value = pool->attribute[a];
    else
        *(int *)value = (int)pool->attribute[a];
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *flags, cudaMemPool_t pool, cudaMemLocation *of)
{
    NEED_HANDLE(POOL, pool);
    NEED(flags && of);
    if (cpucc_is_device(of->id))
        return cudaErrorInvalidDevice;
    bool may = of->id == pool->device || *pool->access >> of->id & 1;
    *flags = may ? cudaMemAccessFlagsProtReadWrite : cudaMemAccessFlagsProtNone;
    return cudaSuccess;
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const cudaMemAccessDesc *who, size_t count)
{
    NEED_HANDLE(POOL, pool);
    NEED(who || !count);
    for (size_t i = 0; i < count; i++) {
        if (cpucc_is_device(who[i].location.id))
            return cudaErrorInvalidDevice;
        unsigned bit = 1u << who[i].location.id;
        *pool->access = who[i].flags ? *pool->access | bit : *pool->access & ~bit;
    }
    return cudaSuccess;
}

cudaError_t cudaMallocFromPoolAsync(void **p, size_t bytes, cudaMemPool_t pool, cudaStream_t s)
{
    NEED_HANDLE(POOL, pool);
    NEED_STREAM(s);
    NEED(p);
    struct node_work work = {.type = cudaGraphNodeTypeMemAlloc, .memory.bytes = bytes};
    if (cpucc_capturing(s)) {
        cudaError_t e = cpucc_capture(s, &work);
        return *p = work.memory.p, e;
    }
    int before = cpucc_active_device;
    cpucc_active_device = pool->device;
    cudaError_t e = cudaMalloc(p, bytes);
    cpucc_active_device = before;
    if (!e && *p)
        cpucc_set_pool(*p, pool->access);
    return e;
}
cudaError_t cudaMallocAsync(void **p, size_t bytes, cudaStream_t s)
{
    cudaMemPool_t pool;
    NEED_STREAM(s);
    cudaDeviceGetMemPool(&pool, cpucc_device_of_stream(s));
    return cudaMallocFromPoolAsync(p, bytes, pool, s);
}
cudaError_t cudaFreeAsync(void *p, cudaStream_t s)
{
    NEED_STREAM(s);
    const struct allocation *x = cpucc_allocation_near((uintptr_t)p);
    if (cpucc_capturing(s))
        return cpucc_capture(s,
                             &(struct node_work){.type = cudaGraphNodeTypeMemFree, .memory.p = p});
    uintptr_t pc = cpucc_user_pc((uintptr_t)__builtin_return_address(0));
    if (x && x->start == (char *)p)
        cpucc_pending_free(s, (uintptr_t)x->start, (uintptr_t)x->start + x->bytes, pc);
    if (p)
        cpucc_device_start();
    return cpucc_error(cpucc_release_memory(p, false, pc));
}

/* ---- copies and fills in a stream ---- */

cudaError_t cpucc_copy_in_stream(const struct copy_work *w, const void *stream)
{
    cudaError_t e = cpucc_copy_rows(w->to, w->to_pitch, w->from, w->from_pitch, w->width, w->height,
                                    w->kind, w->pc);
    size_t rows = w->height, width = w->width;
    if (width == w->to_pitch && width == w->from_pitch)
        width *= rows, rows = 1;
    bool asynchronous =
        cpucc_seen_record((uintptr_t)w->to); /* otherwise the call waits for the copy */
    cpucc_open_memory();
    for (size_t y = 0; y < rows && !e; y++)
        cpucc_pending_copy(stream, (char *)w->to + y * w->to_pitch,
                           (const char *)w->from + y * w->from_pitch, width, asynchronous, w->pc);
    cpucc_close_memory();
    return e;
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                              size_t width, size_t height, cudaMemcpyKind kind, cudaStream_t s)
{
    uintptr_t pc = cpucc_user_pc((uintptr_t)__builtin_return_address(0));
    struct node_work work = {.type = cudaGraphNodeTypeMemcpy,
                             .copy = {to, from, to_pitch, from_pitch, width, height, kind, pc}};
    NEED_STREAM(s);
    if (width > to_pitch || width > from_pitch)
        return cpucc_error(cudaErrorInvalidPitchValue);
    return cpucc_capturing(s) ? cpucc_capture(s, &work) : cpucc_copy_in_stream(&work.copy, s);
}
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t n, cudaMemcpyKind kind,
                            cudaStream_t s)
{
    return cudaMemcpy2DAsync(to, n, from, n, n, 1, kind, s);
}
/* Adds a fill to the capturing stream's graph. */
static cudaError_t capture_fill(void *p, size_t pitch, int v, size_t width, size_t height,
                                cudaStream_t s)
{
    return cpucc_capture(
        s, &(struct node_work){.type = cudaGraphNodeTypeMemset,
                               .set = {p, pitch, (unsigned)v & 0xff, 1, width, height}});
}
cudaError_t cudaMemsetAsync(void *p, int v, size_t n, cudaStream_t s)
{
    NEED_STREAM(s);
    if (cpucc_capturing(s))
        return capture_fill(p, n, v, n, 1, s);
    uintptr_t pc = cpucc_user_pc((uintptr_t)__builtin_return_address(0));
    cudaError_t e = cpucc_set(p, v, n, pc);
    if (!e)
        cpucc_pending_copy(s, p, NULL, n, true, pc);
    return e;
}
cudaError_t cudaMemset2DAsync(void *p, size_t pitch, int v, size_t width, size_t height,
                              cudaStream_t s)
{
    NEED_STREAM(s);
    return cpucc_capturing(s) ? capture_fill(p, pitch, v, width, height, s)
                              : cudaMemset2D(p, pitch, v, width, height);
}
cudaError_t cudaMalloc3D(cudaPitchedPtr *p, cudaExtent extent)
{
    size_t pitch = (extent.width + 511) / 512 * 512;
    NEED(p);
    *p = (cudaPitchedPtr){NULL, pitch, extent.width, extent.height};
    return cudaMalloc(&p->ptr, pitch < extent.width
                                   ? SIZE_MAX
                                   : cpucc_product(pitch, extent.height, extent.depth));
}
cudaError_t cudaMemset3D(cudaPitchedPtr p, int v, cudaExtent extent)
{
    cudaError_t e = cudaSuccess;
    if (!extent.width || !extent.height)
        return cudaSuccess;
    NEED(p.pitch >= extent.width && p.ysize >= extent.height);
    for (size_t z = 0; z < extent.depth && !e; z++)
        for (size_t y = 0; y < extent.height && !e; y++)
            e = cudaMemset((char *)p.ptr + (z * p.ysize + y) * p.pitch, v, extent.width);
    return e;
}
cudaError_t cudaMemset3DAsync(cudaPitchedPtr p, int v, cudaExtent extent, cudaStream_t s)
{
    NEED_STREAM(s);
    return cpucc_capturing(s) ? cpucc_unsupported("cudaMemset3DAsync in a graph")
                              : cudaMemset3D(p, v, extent);
}

cudaError_t cpucc_unsupported(const char *name)
{
    static const char *said[64];
    static int count;
    int i = 0;
    while (i < count && strcmp(said[i], name))
        i++;
    if (i == count && count < 64) {
        said[count++] = name;
        fprintf(stderr, "cpucc: %s is not supported\n", name);
    }
    return cpucc_error(cudaErrorNotSupported);
}

/* ---- other processes: there are none ---- */

#define UNSUPPORTED(name)                                                                          \
    cudaError_t cpucc_##name(void) __asm__(#name);                                                 \
    cudaError_t cpucc_##name(void) { return cpucc_unsupported(#name); }
UNSUPPORTED(cudaIpcGetMemHandle)
UNSUPPORTED(cudaIpcOpenMemHandle)
UNSUPPORTED(cudaIpcCloseMemHandle)
UNSUPPORTED(cudaIpcGetEventHandle)
UNSUPPORTED(cudaIpcOpenEventHandle)
UNSUPPORTED(cudaMemPoolExportToShareableHandle)
UNSUPPORTED(cudaMemPoolImportFromShareableHandle)
UNSUPPORTED(cudaMemPoolExportPointer)
UNSUPPORTED(cudaMemPoolImportPointer)
