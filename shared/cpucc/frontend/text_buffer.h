/*
 * Growable strings for the front end's tools and the checker of the exercises. A program that runs
 * out of memory exits with a message.
 */
#ifndef CPUCC_TEXT_BUFFER_H
#define CPUCC_TEXT_BUFFER_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A string of n bytes; p is NULL while nothing was added, otherwise it ends with 0. */
struct text {
    char *p;
    size_t n, capacity;
};

/* realloc, but exits if there is no memory. */
static inline void *allocate(void *old, size_t bytes)
{
    void *p = realloc(old, bytes ? bytes : 1);
    if (!p) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return p;
}

/* Makes the array one element longer; a pointer to that element. */
#define APPEND(array, count)                                                                       \
    ((array) = allocate((array), sizeof *(array) * ((size_t)(count) + 1)), &(array)[(count)++])

static inline void reserve(struct text *t, size_t more)
{
    if (t->n + more + 1 > t->capacity)
        t->p = (char *)allocate(t->p, t->capacity = 2 * (t->n + more) + 64);
}

static inline void add_bytes(struct text *to, const char *p, size_t n)
{
    reserve(to, n);
    memcpy(to->p + to->n, p, n);
    to->p[to->n += n] = 0;
}

static inline void add(struct text *to, const char *p) { add_bytes(to, p, strlen(p)); }

static inline void add_list(struct text *to, const char *how, va_list list)
{
    va_list again;
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, how, again);
    va_end(again);
    reserve(to, (size_t)n);
    vsnprintf(to->p + to->n, (size_t)n + 1, how, list);
    to->n += (size_t)n;
}

__attribute__((format(printf, 2, 3))) static inline void addf(struct text *to, const char *how, ...)
{
    va_list list;
    va_start(list, how);
    add_list(to, how, list);
    va_end(list);
}

/* The text as a string; "" if nothing was added. */
static inline const char *text_of(const struct text *t) { return t->p ? t->p : ""; }

/* sprintf into a new string. */
__attribute__((format(printf, 1, 2))) static inline char *format(const char *how, ...)
{
    struct text t = {NULL, 0, 0};
    va_list list;
    va_start(list, how);
    add_list(&t, how, list);
    va_end(list);
    return t.p;
}

static inline bool starts_with(const char *p, const char *with)
{
    return !strncmp(p, with, strlen(with));
}

/* A file's contents (standard input for NULL) as a new string; NULL if it cannot be read. */
static inline char *read_file(const char *path)
{
    struct text t = {NULL, 0, 0};
    char piece[1 << 16];
    size_t n;
    FILE *f = path ? fopen(path, "re") : stdin;
    if (!f)
        return NULL;
    add(&t, "");
    while ((n = fread(piece, 1, sizeof piece, f)) > 0)
        add_bytes(&t, piece, n);
    bool bad = ferror(f);
    if (path)
        fclose(f);
    return bad ? NULL : t.p;
}

#endif
