/* The run time's lock, which the host's threads take in turn, and the end of a program without memory. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "core.h"

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int open_depth; /* calls of cpucc_open_memory that cpucc_close_memory has not ended */

void cpucc_open_memory(void)
{
    pthread_mutex_lock(&lock);
    if (!open_depth++)
        CPUCC_TELL(host_enters);
}

void cpucc_close_memory(void)
{
    if (!--open_depth)
        CPUCC_TELL(host_leaves);
    pthread_mutex_unlock(&lock);
}

void *cpucc_nonnull(void *p)
{
    if (!p || p == MAP_FAILED) {
        fprintf(stderr, "cpucc: out of memory\n");
        exit(3);
    }
    return p;
}
