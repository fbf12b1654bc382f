/*
 * The set of live handles: streams, events, graphs, arrays and so on. A handle is the address of
 * its record. The set tells live handles from null, wild and destroyed ones without touching them.
 */
#include <pthread.h>
#include <stdlib.h>
#include "api.h"

struct entry {
    uintptr_t handle;
    enum handle_kind kind; /* NO_HANDLE: destroyed */
};
static struct table table;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Sets the kind of a handle. */
static void set_kind(const void *handle, enum handle_kind kind)
{
    pthread_mutex_lock(&lock);
    struct entry *e = cpucc_find_or_add(&table, sizeof *e, (uintptr_t)handle);
    e->kind = kind;
    pthread_mutex_unlock(&lock);
}

void *cpucc_new_handle(enum handle_kind kind, size_t bytes)
{
    void *handle = cpucc_nonnull(calloc(1, bytes));
    set_kind(handle, kind);
    return handle;
}

void cpucc_end_handle(void *handle)
{
    set_kind(handle, NO_HANDLE);
    free(handle);
}

bool cpucc_is_live(const void *handle, enum handle_kind kind)
{
    pthread_mutex_lock(&lock);
    const struct entry *e = handle ? cpucc_find(&table, sizeof *e, (uintptr_t)handle) : NULL;
    bool live = e && e->kind == kind;
    pthread_mutex_unlock(&lock);
    return live;
}

cudaError_t cpucc_check_handle(const void *handle, enum handle_kind kind)
{
    if (cpucc_is_live(handle, kind))
        return cudaSuccess;
    return cpucc_error(kind < GRAPH ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue);
}
