/* malloc, calloc and free of device code. */
#include <string.h>
#include "deferred_access.h"

static void *device_malloc(size_t bytes, uintptr_t pc)
{
    void *p;
    return cpucc_allocate(&p, bytes ? bytes : 1, DEVICE_HEAP, pc) ? NULL : p;
}

void *cpucc_device_malloc(size_t bytes) { return device_malloc(bytes, SITE); }

void *cpucc_device_calloc(size_t n, size_t bytes)
{
    void *p = bytes && n > SIZE_MAX / bytes ? NULL : device_malloc(n * bytes, SITE);
    if (p) {
        memset(p, 0, n * bytes);
        cpucc_mark_written((uintptr_t)p, n * bytes);
    }
    return p;
}

void cpucc_device_free(void *p)
{
    cpucc_forget_ranges();
    if (cpucc_release_memory(p, true, SITE))
        cpucc_abort(cudaErrorLaunchFailure);
}
