/*
 * Finds how much device memory fits into this machine. A byte of device memory takes up to nine bytes:
 * one for itself, eight for its quarter of the word's 32-byte record (shadow.c), if there are records.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include "memory.h"

size_t cpucc_bytes_taken(void) { return cpucc_keeps_records ? 1 + sizeof(shadow) / 4 : 1; }

/* Returns the number after `key` in a file of lines "key number"; `otherwise` if there is none. An
 * empty key finds a line's first number. */
static double number_in_file(const char *path, const char *key, double otherwise)
{
    char line[256];
    double value = otherwise, found;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (!strncmp(line, key, strlen(key)) && sscanf(line + strlen(key), "%lf", &found) == 1) {
            value = found;
            break;
        }
    if (file)
        fclose(file);
    return value;
}

static double least(double a, double b) { return a < b ? a : b; }

/* Returns the bytes that the process may still use by the limit of its control group (version 2 or
 * 1, see Linux's cgroup documentation), as in containers. Returns `otherwise` without such a limit.
 * Cached files count as free. */
static double cgroup_memory(double otherwise)
{
    static const char *const names[][3] = {
        {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current",
         "/sys/fs/cgroup/memory.stat"},
        {"/sys/fs/cgroup/memory/memory.limit_in_bytes",
         "/sys/fs/cgroup/memory/memory.usage_in_bytes", "/sys/fs/cgroup/memory/memory.stat"}};
    for (int i = 0; i < 2; i++) {
        double most = number_in_file(names[i][0], "", 0);
        if (most > 0)
            return most - number_in_file(names[i][1], "", 0) +
                   number_in_file(names[i][2], "inactive_file ", 0);
    }
    return otherwise;
}

size_t cpucc_memory_available(size_t device)
{
    const char *set = getenv("CPUCC_MEMORY");
    double free_bytes = 1024 * number_in_file("/proc/meminfo", "MemAvailable:", 1e18);
    free_bytes = least(free_bytes, cgroup_memory(free_bytes)) * (set && *set ? 1 : 0.7);
    double available = least(free_bytes / (double)cpucc_bytes_taken(), (double)device);
    return available > 0 ? (size_t)available : 0;
}

/* Returns how many bytes of device memory, at most `wanted`, can be reserved as address space
 * together with their records; 0 if fewer than 8 MB. A limit (ulimit -v) or a system without
 * overcommitment allows fewer. */
size_t cpucc_address_space(size_t wanted)
{
    /* Address space for shared memory and its records, fibers' stacks, and the program itself. */
    const size_t other =
        (size_t)SLOT_BYTES * MAX_LIVE_BLOCKS * cpucc_bytes_taken() + ((size_t)256 << 20);
    for (; wanted >= (size_t)8 << 20; wanted /= 2) {
        size_t bytes = wanted * cpucc_bytes_taken() + wanted / 4 + other; /* a quarter: of lines */
        void *p = cpucc_reserve(bytes, false);
        if (p) {
            munmap(p, bytes);
            return wanted;
        }
    }
    return 0;
}

bool cpucc_is_mapped(const void *p, size_t bytes)
{
    uintptr_t first = (uintptr_t)p & ~(uintptr_t)4095;
    return p && bytes <= ~(uintptr_t)p &&
           !msync((void *)first, (uintptr_t)p - first + bytes, MS_ASYNC);
}

void *cpucc_reserve(size_t bytes, bool required)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    if (p != MAP_FAILED)
        return p;
    if (!required)
        return NULL;
    fprintf(stderr, "cpucc: cannot reserve %zu bytes of address space\n", bytes);
    exit(3);
}
