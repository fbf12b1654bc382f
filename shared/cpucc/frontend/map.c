/* Numbers of values, blocks and metadata, see ir.h. */
#include "ir.h"

static struct entry *entry_of(const struct map *m, const void *key)
{
    size_t h = (size_t)key / 8 * 0x9E3779B97F4A7C15u;
    for (h = (h >> 20) & (m->capacity - 1); m->entries[h].key && m->entries[h].key != key;)
        h = (h + 1) & (m->capacity - 1);
    return &m->entries[h];
}

long *map_at(struct map *m, const void *key)
{
    if (2 * m->count >= m->capacity) {
        struct map old = *m;
        m->capacity = old.capacity ? 2 * old.capacity : 64;
        m->entries = allocate(NULL, m->capacity * sizeof *m->entries);
        memset(m->entries, 0, m->capacity * sizeof *m->entries);
        for (size_t i = 0; i < old.capacity; i++)
            if (old.entries[i].key)
                *entry_of(m, old.entries[i].key) = old.entries[i];
        free(old.entries);
    }
    struct entry *e = entry_of(m, key);
    m->count += !e->key;
    e->key = key;
    return &e->value;
}

long map_get(const struct map *m, const void *key)
{
    return m->capacity ? entry_of(m, key)->value : 0;
}

void clear_map(struct map *m)
{
    if (m->count)
        memset(m->entries, 0, m->capacity * sizeof *m->entries);
    m->count = 0;
}

void add_dependents(struct map *m, LLVMValueRef function, bool (*begins)(LLVMValueRef),
                    bool (*ends)(LLVMValueRef))
{
    for (size_t before = (size_t)-1; before != m->count;) {
        before = m->count;
        EACH_INSTRUCTION_IN(i, function) {
            bool depends = begins(i);
            for (int k = 0; !ends(i) && !depends && k < LLVMGetNumOperands(i); k++)
                depends = map_get(m, LLVMGetOperand(i, (unsigned)k));
            if (depends)
                *map_at(m, i) = 1;
        }
    }
}
