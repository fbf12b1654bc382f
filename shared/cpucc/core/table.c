/* Hash tables of records by address: see core.h. */
#include "core.h"

/* Returns the key's record, or the free one that it would take. */
static void *place(const struct table *t, size_t bytes, uintptr_t key)
{
    size_t i = key * 0x9e3779b97f4a7c15u >> 20;
    for (;; i++) {
        char *at = (char *)t->records + (i & (t->capacity - 1)) * bytes;
        if (!*(uintptr_t *)at || *(uintptr_t *)at == key)
            return at;
    }
}

void *cpucc_find(const struct table *t, size_t bytes, uintptr_t key)
{
    uintptr_t *at = t->count ? place(t, bytes, key) : NULL;
    return at && *at ? at : NULL;
}

void *cpucc_find_or_add(struct table *t, size_t bytes, uintptr_t key)
{
    if (2 * t->count >= t->capacity) {
        const struct table old = *t;
        t->capacity = old.capacity ? 2 * old.capacity : 64;
        t->records = cpucc_nonnull(calloc(t->capacity, bytes));
        for (char *r = old.records; r < (char *)old.records + old.capacity * bytes; r += bytes)
            if (*(uintptr_t *)r)
                memcpy(place(t, bytes, *(uintptr_t *)r), r, bytes);
        free(old.records);
    }
    uintptr_t *at = place(t, bytes, key);
    t->count += !*at;
    *at = key;
    return at;
}
