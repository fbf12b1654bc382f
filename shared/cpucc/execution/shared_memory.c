/* Shared memory of a block: the places of its variables, and addresses in other blocks of a cluster. */
#include "async.h"

/* Returns the address of a static shared variable in the lane's block. The first use in a launch
 * gives the variable an offset for all blocks: after the dynamic shared memory, with gaps that
 * reveal overruns. */
void *cpucc_shared(shared_site *site, size_t bytes, size_t align)
{
    struct lane *l = cpucc_current;
    if (!l)
        return NULL;
    struct launch *L = cpucc_the_launch;
    if (site->launch != L->number) {
        uint32_t a = align < 128 ? 128 : (uint32_t)align;
        uint32_t at = (L->shared_used + SHARED_GAP + a - 1) / a * a;
        L->static_bytes =
            (L->static_bytes + (uint32_t)align - 1) / (uint32_t)align * (uint32_t)align;
        L->static_bytes += (uint32_t)bytes;
        site->launch = L->number;
        site->bytes = bytes;
        site->next = L->sites;
        L->sites = site;
        site->offset = (int)at;
        L->shared_used = at + (uint32_t)bytes;
        if (L->static_bytes > 48 << 10 || L->shared_used > SLOT_BYTES - SHARED_GAP)
            END_LAUNCH(
                cudaErrorInvalidValue, l, DEVICE_CALL_PC, SHARED_SIZE,
                "'%s' brings the static shared memory of a block to %u bytes; 49152 is legal",
                site->name, L->static_bytes);
        size_t legal = cpucc_shared_limit(L->config.function);
        if (L->static_bytes + L->config.shared > legal)
            END_LAUNCH(cudaErrorInvalidValue, l, DEVICE_CALL_PC, SHARED_SIZE,
                       "%zu bytes per block; %zu is legal", L->static_bytes + L->config.shared,
                       legal);
    }
    char *p = cpucc_slots + (size_t)l->warp->block->slot * SLOT_BYTES + site->offset;
    if (!cpucc_slot_shadow[(p - cpucc_slots) / 4].allocated)
        cpucc_shared_allocate(l->warp->block->slot, (uint32_t)site->offset, bytes);
    return p;
}

/* Returns the start of dynamic shared memory. The hardware puts it after the static variables, at
 * the next multiple of 16 or of the declared alignment (an H200: offset 1024; after 12 static bytes
 * 1040, or 2048 for 1024-byte alignment). Here it precedes them, but has the hardware's offset
 * modulo 1024 bytes, so that code which assumes more alignment than it declared fails here too. */
void *cpucc_dynamic_shared(uint64_t align)
{
    const struct lane *l = cpucc_current;
    struct launch *L = cpucc_the_launch;
    if (!l)
        return NULL;
    if (!L->dynamic_start) {
        uint32_t a = align < 16 ? 16 : (uint32_t)align;
        L->dynamic_start = SHARED_START + (L->static_bytes + a - 1) / a * a % SHARED_LINE;
    }
    char *p = cpucc_slots + (size_t)l->warp->block->slot * SLOT_BYTES + L->dynamic_start;
    if (L->config.shared && !cpucc_shadow((uintptr_t)p)->allocated)
        cpucc_shared_allocate(l->warp->block->slot, L->dynamic_start, L->config.shared);
    return p;
}

int cpucc_is_shared(const void *p) { return cpucc_is_shared_pointer(p); }

/* Returns a pointer's 32-bit shared address. In another block of the cluster it has the block's
 * rank + 1 in the upper bits, whose meaning PTX does not define. A shared address gives itself, because the
 * hardware's window begins at a multiple of 4 GB. */
uint32_t cpucc_shared_offset(const void *p)
{
    if ((uintptr_t)p >> 32 == 0)
        return (uint32_t)(uintptr_t)p;
    uint32_t offset = (uint32_t)(((const char *)p - cpucc_slots) % SLOT_BYTES);
    const struct block *b = cpucc_is_shared(p) ? cpucc_block_of((uintptr_t)p) : NULL;
    if (cpucc_current && b && b != cpucc_current->warp->block)
        offset |= (b->number % cpucc_the_launch->cluster_size + 1) << CPUCC_RANK_SHIFT;
    return offset;
}

/* Returns the pointer of a 32-bit shared address. */
void *cpucc_shared_pointer(uint32_t offset)
{
    uint32_t rank = offset >> CPUCC_RANK_SHIFT;
    char *p = cpucc_slots + (size_t)cpucc_current->warp->block->slot * SLOT_BYTES +
              (offset & ((1u << CPUCC_RANK_SHIFT) - 1));
    if (rank && rank <= cpucc_the_launch->cluster_size)
        return cpucc_map_shared(p, rank - 1);
    return p;
}

void *cpucc_map_shared(const void *p, unsigned rank)
{
    struct lane *l = cpucc_current;
    const struct launch *L = cpucc_the_launch;
    uint32_t number = l->warp->block->number / L->cluster_size * L->cluster_size + rank;
    struct block *b = cpucc_live_block(number);
    if (rank >= L->cluster_size || !b || !cpucc_is_shared(p))
        END_LAUNCH(cudaErrorIllegalAddress, l, DEVICE_CALL_PC, OUT_OF_BOUNDS,
                   "no block of rank %u in this cluster of %u", rank, L->cluster_size);
    char *q = cpucc_slots + (size_t)b->slot * SLOT_BYTES + cpucc_shared_offset(p);
    /* The other block may not have reached the variable's declaration; allocate the variable. */
    const shadow *mine = cpucc_shadow((uintptr_t)p), *other = cpucc_shadow((uintptr_t)q);
    uint32_t start = (uint32_t)((q - cpucc_slots) % SLOT_BYTES / 4 * 4), bytes = 0;
    if (other->allocated || !mine->allocated)
        return q;
    for (; mine[-1].allocated; mine--)
        start -= 4;
    for (; mine->allocated; mine++)
        bytes += (uint32_t)__builtin_popcount(mine->allocated);
    cpucc_shared_allocate(b->slot, start, bytes);
    return q;
}

/* Does nothing. The call keeps the compiler from deleting a shared variable that is never read. */
void cpucc_keep(const void *variable) { (void)variable; }
