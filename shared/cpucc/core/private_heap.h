/*
 * The run time's own heap, apart from the program's: an overrun of a host array cannot change the run
 * time's records. The names of the C library's functions mean this heap's wherever this header is included.
 */
#ifndef CPUCC_PRIVATE_HEAP_H
#define CPUCC_PRIVATE_HEAP_H

#include <stdlib.h>
#include <string.h>

#pragma GCC visibility push(hidden)
void *cpucc_malloc(size_t bytes);
void *cpucc_calloc(size_t count, size_t bytes);
void *cpucc_realloc(void *p, size_t bytes);
void cpucc_free(void *p); /* also frees the C library's memory, such as getline's */
char *cpucc_strdup(const char *text);
char *cpucc_strndup(const char *text, size_t most);
#pragma GCC visibility pop

#undef strdup
#undef strndup
#define malloc cpucc_malloc
#define calloc cpucc_calloc
#define realloc cpucc_realloc
#define free cpucc_free
#define strdup cpucc_strdup
#define strndup cpucc_strndup

#endif
