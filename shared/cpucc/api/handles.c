/*
 * The set of live handles: streams, events, graphs, arrays and so on. A handle is the address of
 * its record. The set tells live handles from null, wild and destroyed ones without touching them.
 */
#include <pthread.h>
#include <stdlib.h>
#include "api.h"

static struct entry {
    const void *handle;
    enum handle_kind kind; /* NO_HANDLE: destroyed */
} * table;                 /* by the hash of the address */
static size_t size, used;  /* used: entries with an address, live or not */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct entry *place(const void *handle)
{
    size_t i = ((uintptr_t)handle >> 4) * 0x9e3779b97f4a7c15u % size;
    while (table[i].handle && table[i].handle != handle)
        i = (i + 1) % size;
    return &table[i];
}

/* Makes the table larger and forgets destroyed handles. */
static void grow(void)
{
    struct entry *old = table;
    size_t n = size;
    size = 2 * n + 61;
    used = 0;
    table = cpucc_nonnull(calloc(size, sizeof *table));
    for (size_t i = 0; i < n; i++)
        if (old[i].kind) {
            *place(old[i].handle) = old[i];
            used++;
        }
    free(old);
}

void *cpucc_new_handle(enum handle_kind kind, size_t bytes)
{
    void *handle = cpucc_nonnull(calloc(1, bytes));
    pthread_mutex_lock(&lock);
    if (2 * used >= size)
        grow();
    struct entry *e = place(handle);
    used += !e->handle;
    *e = (struct entry){handle, kind};
    pthread_mutex_unlock(&lock);
    return handle;
}

void cpucc_end_handle(void *handle)
{
    pthread_mutex_lock(&lock);
    place(handle)->kind = NO_HANDLE;
    pthread_mutex_unlock(&lock);
    free(handle);
}

bool cpucc_is_live(const void *handle, enum handle_kind kind)
{
    pthread_mutex_lock(&lock);
    bool live = handle && size && place(handle)->kind == kind;
    pthread_mutex_unlock(&lock);
    return live;
}

cudaError_t cpucc_check_handle(const void *handle, enum handle_kind kind)
{
    if (cpucc_is_live(handle, kind))
        return cudaSuccess;
    return cpucc_error(kind < GRAPH ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
}
