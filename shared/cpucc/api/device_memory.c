/* The CUDA run-time API on the CPU: allocating, freeing, copying and filling memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api.h"

size_t cpucc_product(size_t a, size_t b, size_t c)
{
    size_t n;
    return __builtin_mul_overflow(a, b, &n) || __builtin_mul_overflow(n, c, &n) ? SIZE_MAX : n;
}

static cudaError_t allocate(void **p, size_t bytes, enum memory kind, uintptr_t pc)
{
    NEED(p);
    cpucc_device_start();
    return cpucc_error(cpucc_allocate(p, bytes, kind, pc));
}

static cudaError_t release(void *p, uintptr_t pc)
{
    if (p) {
        cpucc_device_start(); /* so that the exit status shows a fault before any allocation */
        cpucc_freed_by_host(p, pc);
    }
    return cpucc_error(cpucc_release_memory(p, false, pc));
}

cudaError_t cudaMalloc(void **p, size_t n) { return allocate(p, n, DEVICE, CALLER_PC); }
cudaError_t cudaMallocManaged(void **p, size_t n, unsigned f)
{
    if ((f != cudaMemAttachGlobal && f != cudaMemAttachHost) || !n)
        return cpucc_error(cudaErrorInvalidValue);
    return allocate(p, n, MANAGED, CALLER_PC);
}
cudaError_t cudaMallocHost(void **p, size_t n) { return allocate(p, n, PINNED, CALLER_PC); }
cudaError_t cudaHostAlloc(void **p, size_t n, unsigned f)
{
    return (void)f, allocate(p, n, PINNED, CALLER_PC);
}
cudaError_t cudaHostGetDevicePointer(void **p, void *h, unsigned f)
{
    NEED(!f && h);
    return GIVE(p, h);
}
cudaError_t cudaMallocPitch(void **p, size_t *pitch, size_t width, size_t height)
{
    NEED(p && pitch);
    *pitch = (width + 511) / 512 * 512;
    return allocate(p, cpucc_product(*pitch, height, *pitch < width ? SIZE_MAX : 1), DEVICE,
                    CALLER_PC);
}
cudaError_t cudaFree(void *p) { return release(p, CALLER_PC); }
cudaError_t cudaFreeHost(void *p) { return release(p, CALLER_PC); }

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
    cpucc_device_start();
    if (total)
        *total = cpucc_device.memory;
    if (free_bytes)
        *free_bytes = cpucc_free_memory();
    return cudaSuccess;
}

/* Whether kernels may use the address. */
static bool on_device(const void *p)
{
    return cpucc_in_heap((uintptr_t)p) || cpucc_seen_record((uintptr_t)p) ||
           cpucc_is_constant((uintptr_t)p);
}
/* Whether kernels may use the address and the host may not. */
static bool off_limits(const void *p)
{
    return cpucc_in_heap((uintptr_t)p) ? (const char *)p < cpucc_heap_host
                                       : on_device(p) && !cpucc_registered_shadow((uintptr_t)p);
}

/* Host and device may use managed memory, like pinned memory. */
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *a, const void *p)
{
    NEED(a);
    const struct allocation *x = cpucc_allocation_near((uintptr_t)p);
    if (x && (x->freed || (const char *)p < x->start || (const char *)p >= x->start + x->bytes))
        x = NULL;
    bool device = x || cpucc_seen_record((uintptr_t)p),
         host = x ? x->kind == PINNED || x->kind == MANAGED
                  : cpucc_registered_shadow((uintptr_t)p) != NULL;
    *a = (cudaPointerAttributes){cudaMemoryTypeUnregistered,
                                 !device ? -2
                                 : x     ? x->device
                                         : cpucc_active_device,
                                 device ? (void *)p : NULL, host ? (void *)p : NULL};
    if (device)
        a->type = x && x->kind == MANAGED ? cudaMemoryTypeManaged
                  : host                  ? cudaMemoryTypeHost
                                          : cudaMemoryTypeDevice;
    return cudaSuccess;
}

/* Whether the bytes are in one live allocation, or in host memory, which is not checked. If not,
 * reports a fault at the host's call. */
static bool valid(const void *p, size_t bytes, const char *verb, uintptr_t pc)
{
    if (!on_device(p) ||
        (cpucc_is_constant((uintptr_t)p) ? !cpucc_in_gap((uintptr_t)p, (uint32_t)bytes)
                                         : cpucc_all_allocated((uintptr_t)p, bytes)))
        return true;
    const struct allocation *x = cpucc_allocation_near((uintptr_t)p);
    uintptr_t end = x ? (uintptr_t)x->start + x->bytes : 0;
    bool inside = x && !x->freed && (uintptr_t)p >= (uintptr_t)x->start && (uintptr_t)p < end;
    cpucc_fault(NULL, cpucc_user_pc(pc), OUT_OF_BOUNDS, "%zu bytes are %s: %s", bytes, verb,
                cpucc_describe_address(inside ? end : (uintptr_t)p));
    cpucc_print_faults();
    return false;
}

/* Whether `kind` fits the memory at both ends; if not, reports a fault. Pinned and managed memory
 * is both host and device memory. */
static bool right_way(const void *to, const void *from, cudaMemcpyKind kind, uintptr_t pc)
{
    static const char *const names[] = {"HostToHost", "HostToDevice", "DeviceToHost",
                                        "DeviceToDevice"};
    const void *const end[] = {to, from};
    if (kind == cudaMemcpyDefault)
        return true;
    for (int i = 0; i < 2; i++) {
        bool device = i ? kind & 2 : kind & 1;
        if (device ? on_device(end[i]) : !off_limits(end[i]))
            continue;
        cpucc_fault(NULL, cpucc_user_pc(pc), COPY_DIRECTION,
                    "cudaMemcpy%s, but the %s is memory of the %s", names[kind],
                    i ? "source" : "target", device ? "host" : "device");
        cpucc_print_faults();
        return false;
    }
    return true;
}

/* Copies a row of memory that is device memory or mapped. Device memory is open. */
static cudaError_t copy_row(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
                            uintptr_t pc)
{
    if (!right_way(to, from, kind, pc) || !valid(to, bytes, "copied to", pc) ||
        !valid(from, bytes, "copied from", pc))
        return cpucc_error(cudaErrorInvalidValue);
    if (!off_limits(to))
        cpucc_copied_out(to, from, bytes, pc);
    memmove(to, from, bytes);
    if (on_device(to) && !cpucc_is_constant((uintptr_t)to))
        cpucc_mark_written((uintptr_t)to, bytes);
    return cudaSuccess;
}

/* The bytes from the first row to the end of the last one; SIZE_MAX if it is too large. */
static size_t extent_of(size_t pitch, size_t width, size_t height)
{
    size_t before = cpucc_product(pitch, height - 1, 1);
    return before < SIZE_MAX - width ? before + width : SIZE_MAX;
}

cudaError_t cpucc_copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, cudaMemcpyKind kind, uintptr_t pc)
{
    cpucc_device_start();
    cudaError_t e = cpucc_lasting_error();
    if (!e && (unsigned)kind > cudaMemcpyDefault)
        return cpucc_error(cudaErrorInvalidMemcpyDirection);
    if (e || !width || !height)
        return e;
    NEED((on_device(to) || cpucc_is_mapped(to, extent_of(to_pitch, width, height))) &&
         (on_device(from) || cpucc_is_mapped(from, extent_of(from_pitch, width, height))));
    cpucc_open_memory(); /* once for all rows: opening takes a system call */
    cpucc_use_variables(cpucc_active_device);
    for (size_t y = 0; y < height && !e; y++)
        e = copy_row((char *)to + y * to_pitch, (const char *)from + y * from_pitch, width, kind,
                     pc);
    cpucc_close_memory();
    return e;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaError_t e = cpucc_copy_rows(to, bytes, from, bytes, bytes, 1, kind, CALLER_PC);
    if (!e)
        cpucc_pending_copy(NULL, to, from, bytes, false, CALLER_PC);
    cpucc_synchronised_stream(NULL);
    return e;
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind)
{
    if (width > to_pitch || width > from_pitch)
        return cpucc_error(cudaErrorInvalidPitchValue);
    cpucc_synchronised_stream(NULL);
    return cpucc_copy_rows(to, to_pitch, from, from_pitch, width, height, kind, CALLER_PC);
}

cudaError_t cpucc_set(void *p, int v, size_t n, uintptr_t pc)
{
    cpucc_device_start();
    if (cpucc_lasting_error())
        return cpucc_lasting_error();
    if (n && (!on_device(p) || !valid(p, n, "set", pc)))
        return cpucc_error(cudaErrorInvalidValue);
    cpucc_open_memory();
    cpucc_use_variables(cpucc_active_device);
    memset(p, v, n);
    if (!cpucc_is_constant((uintptr_t)p))
        cpucc_mark_written((uintptr_t)p, n);
    cpucc_close_memory();
    return cudaSuccess;
}

cudaError_t cudaMemset(void *p, int v, size_t n)
{
    cudaError_t e = cpucc_set(p, v, n, CALLER_PC);
    if (!e)
        cpucc_pending_copy(NULL, p, NULL, n, false, CALLER_PC);
    return e;
}

cudaError_t cudaMemset2D(void *p, size_t pitch, int v, size_t width, size_t height)
{
    cudaError_t e = cudaSuccess;
    NEED(pitch >= width || height <= 1);
    for (size_t y = 0; width && y < height && !e; y++)
        e = cudaMemset((char *)p + y * pitch, v, width);
    return e;
}

cudaError_t cudaMemPrefetchAsync(const void *p, size_t n, int d, cudaStream_t s)
{
    (void)d;
    NEED_STREAM(s);
    return cpucc_all_allocated((uintptr_t)p, n) ? cudaSuccess : cpucc_error(cudaErrorInvalidValue);
}

cudaError_t cpucc_symbol_copy(void *symbol, size_t size, size_t offset, void *host, size_t bytes,
                              int to_device)
{
    cpucc_device_start();
    if (!symbol)
        return cpucc_error(cudaErrorInvalidSymbol);
    if (offset > size || bytes > size - offset) {
        cpucc_fault(NULL, cpucc_user_pc(CALLER_PC), OUT_OF_BOUNDS,
                    "%zu bytes are copied %s byte %zu of a variable that has %zu: %s", bytes,
                    to_device ? "to" : "from", offset, size,
                    cpucc_describe_address((uintptr_t)symbol));
        cpucc_print_faults();
        return cpucc_error(cudaErrorInvalidValue);
    }
    void *at = (char *)symbol + offset;
    return to_device ? cudaMemcpy(at, host, bytes, cudaMemcpyDefault)
                     : cudaMemcpy(host, at, bytes, cudaMemcpyDefault);
}
