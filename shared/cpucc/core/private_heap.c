/*
 * The heap of private_heap.h. A block has 2^k bytes; its first 16 hold k. Freed blocks form a list per k.
 * When the reserved address space is used up, the C library's heap takes over.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include "private_heap.h"
#undef malloc
#undef calloc
#undef realloc
#undef free

enum { HEADER = 16, LEAST = 5, MOST = 33, PAGE = 4096, LARGE = 20 /* their pages go back */ };
#define REGION ((size_t)1 << 32)

static char *region, *next; /* reserved address space between two guard pages; its unused part */
static void *freed[MOST]; /* by k: the first freed block; it begins with the address of the next */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static bool is_ours(const void *p) { return region && (size_t)((const char *)p - region) < REGION; }
static size_t capacity(const void *p) { return ((size_t)1 << ((const char *)p)[-HEADER]) - HEADER; }

__attribute__((constructor(101))) static void reserve(void)
{
    char *p = mmap(NULL, REGION + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p != MAP_FAILED && !mprotect(p + PAGE, REGION, PROT_READ | PROT_WRITE))
        region = next = p + PAGE;
}

/* Returns an unused block for so many bytes, which are 0 if `zero`; NULL if the region has no room. */
static void *take(size_t bytes, bool zero)
{
    int k = LEAST;
    while (k < MOST && ((size_t)1 << k) - HEADER < bytes)
        k++;
    size_t size = (size_t)1 << k;
    char *p = NULL;
    if (!region || k == MOST)
        return NULL;
    pthread_mutex_lock(&lock);
    if (freed[k]) {
        p = freed[k];
        freed[k] = *(void **)p;
        if (zero)
            memset(p, 0, k < LARGE ? size - HEADER : sizeof(void *));
    } else {
        size_t start = (size_t)(next - region);
        start = k < LARGE ? start : (start + PAGE - 1) / PAGE * PAGE;
        if (size <= REGION - start) {
            p = region + start + HEADER;
            next = region + start + size;
            p[-HEADER] = (char)k;
        }
    }
    pthread_mutex_unlock(&lock);
    return p;
}

void *cpucc_malloc(size_t bytes)
{
    void *p = take(bytes, false);
    return p ? p : malloc(bytes);
}

void *cpucc_calloc(size_t count, size_t bytes)
{
    size_t all;
    void *p = __builtin_mul_overflow(count, bytes, &all) ? NULL : take(all, true);
    return p ? p : calloc(count, bytes);
}

void cpucc_free(void *p)
{
    if (!is_ours(p)) {
        free(p);
        return;
    }
    int k = ((char *)p)[-HEADER];
    if (k >= LARGE) {
        madvise((char *)p - HEADER + PAGE, ((size_t)1 << k) - PAGE, MADV_DONTNEED);
        memset(p, 0, PAGE - HEADER);
    }
    pthread_mutex_lock(&lock);
    *(void **)p = freed[k];
    freed[k] = p;
    pthread_mutex_unlock(&lock);
}

void *cpucc_realloc(void *p, size_t bytes)
{
    if (p && !is_ours(p))
        return realloc(p, bytes);
    if (p && capacity(p) >= bytes)
        return p;
    void *to = cpucc_malloc(bytes);
    if (to && p) {
        memcpy(to, p, capacity(p));
        cpucc_free(p);
    }
    return to;
}

char *cpucc_strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *to = cpucc_calloc(length + 1, 1);
    return to ? memcpy(to, text, length) : NULL;
}

char *cpucc_strdup(const char *text) { return cpucc_strndup(text, SIZE_MAX); }
