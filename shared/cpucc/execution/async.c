/*
 * Asynchronous copies: cp.async and its groups, bulk and tensor copies (TMA) and their groups. The
 * PTX ISA defines them in "Data Movement and Conversion Instructions: Asynchronous copy".
 *
 * A copy takes effect as late as the rules allow: cp.async when a thread waits for it, a TMA load
 * when threads wait on its mbarrier and nothing else in the block can run, a TMA store when its
 * thread waits for its group. Until then the records of its memory are marked, and an access to
 * that memory is a fault.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "async.h"

/* ---- copies of all kinds ---- */

uint64_t cpucc_live_copies;

bool cpucc_bad_range(struct lane *l, uintptr_t a, uint32_t bytes, const char *what)
{
    for (uint32_t i = 0; i < bytes; i += 4) {
        const shadow *s = cpucc_shadow(a + i);
        bool out_of_reach = cpucc_device_count > 1 && cpucc_is_out_of_reach(a + i);
        if (s && s->allocated == 15 && !out_of_reach)
            continue;
        END_LAUNCH(cudaErrorIllegalAddress, l, l->pc, out_of_reach ? PEER_ACCESS : OUT_OF_BOUNDS,
                   "%s touches %s%s", what, cpucc_describe_address(a + i),
                   out_of_reach ? cpucc_access_hint(a + i) : "");
        return true;
    }
    return false;
}

static void note_write(struct lane *l, uintptr_t address, uint32_t bytes, bool reduces)
{
    CPUCC_TELL(copy_writes, l, address, bytes, reduces);
    cpucc_mark_written(address, bytes);
}

/* Checks the copy's memory and records its reads and writes; false if the launch ends. */
static bool check_copy(struct lane *l, struct async_copy *c)
{
    for (int i = 0; i < c->count; i++) {
        const struct piece *p = &c->pieces[i];
        if (cpucc_bad_range(l, p->shared, p->bytes, "the copy") ||
            (p->global && cpucc_bad_range(l, p->global, p->bytes, "the copy")))
            return false;
        if (!cpucc_recorded()) {
            if (c->kind == STORE && p->global)
                cpucc_mark_written(p->global, p->bytes);
            continue;
        }
        if (c->kind == LOAD) {
            if (p->global)
                CPUCC_TELL(copy_reads, l, p->global, p->bytes, c->barrier);
            note_write(l, p->shared, p->bytes, false);
        } else if (p->global) {
            CPUCC_TELL(copy_reads, l, p->shared, p->bytes, NULL);
            note_write(l, p->global, p->bytes, c->reduction.wanted);
        }
    }
    return true;
}

static void apply_copy(const struct async_copy *c)
{
    size_t at = 0;
    for (int i = 0; i < c->count; i++) {
        const struct piece *p = &c->pieces[i];
        if (cpucc_altered && c->kind != STORE)
            cpucc_alter(c->issuer, c->request, p->shared, p->bytes, false);
        if (c->reduction.wanted)
            cpucc_reduce(&c->reduction, (void *)p->global, c->data + at, p->bytes);
        else if (c->kind == STORE && p->global)
            memcpy((void *)p->global, c->data + at, p->bytes);
        else if (c->kind != STORE && p->global)
            memcpy((void *)p->shared, (const void *)p->global, p->bytes);
        else if (c->kind != STORE)
            memset((void *)p->shared, 0, p->bytes);
        at += p->bytes;
    }
}

void cpucc_read_shared(struct async_copy *c)
{
    size_t at = 0, bytes = 0;
    for (int i = 0; i < c->count; i++)
        bytes += c->pieces[i].bytes;
    c->data = cpucc_nonnull(malloc(bytes + 1));
    for (int i = 0; i < c->count; at += c->pieces[i++].bytes) {
        if (cpucc_altered)
            cpucc_alter(NULL, 0, c->pieces[i].shared, c->pieces[i].bytes, true);
        memcpy(c->data + at, (const void *)c->pieces[i].shared, c->pieces[i].bytes);
    }
    c->read = true;
    CPUCC_TELL(copy_source_read, c);
}

void cpucc_complete_copy(const struct async_copy *c)
{
    if (c->kind == ARRIVAL) {
        if (!cpucc_finish_copies(c->issuer, CP_ASYNC, 0, c,
                                 false)) /* the thread has waited for them itself */
            CPUCC_TELL(mbarrier, c->issuer, c->barrier, MB_ARRIVING);
        c->barrier->pending--;
        CPUCC_TELL(mbarrier, c->issuer, c->barrier, MB_ARRIVED);
        return;
    }
    apply_copy(c);
    CPUCC_TELL(copy_completes, c);
}

void cpucc_free_copy(struct async_copy *c)
{
    cpucc_live_copies--;
    free(c->pieces);
    free(c->data);
    free(c);
}

static struct async_copy *new_copy(struct lane *l, enum copy_kind kind)
{
    static uint64_t copies;
    struct async_copy *c = cpucc_nonnull(calloc(1, sizeof *c));
    cpucc_live_copies++;
    c->number = ++copies;
    c->kind = kind, c->issuer = l, c->pc = l->pc, c->group = l->open_group;
    c->request = cpucc_altered ? cpucc_request_of(l, l->pc) : 0;
    return c;
}

static void append(struct async_copy **first, struct async_copy **last, struct async_copy *c)
{
    if (*first)
        (*last)->next = c;
    else
        *first = c;
    *last = c;
}

static void refuse(struct lane *l, const char *why)
{
    END_LAUNCH(cudaErrorIllegalAddress, l, l->pc, COPY_REFUSED, "%s", why);
}

/* ---- cp.async ---- */

/* Adds a cp.async, whose last `zeros` bytes are zeros, to the lane's pending copies. */
static void copy_async(void *shared, const void *global, int bytes, int zeros, bool through_l1)
{
    CALLED_BY(l);
    l->through_l1 = through_l1;
    cpucc_settle(l);
    if ((bytes != 4 && bytes != 8 && bytes != 16) || zeros < 0 || zeros > bytes)
        END_LAUNCH(cudaErrorIllegalAddress, l, l->pc, COPY_REFUSED,
                   "a cp.async of %d bytes, %d of them zeros; only 4, 8 or 16 bytes are legal",
                   bytes, zeros);
    enum space from = bytes > zeros ? cpucc_space(l, (uintptr_t)global) : GLOBAL;
    if (!cpucc_is_shared_pointer(shared) || from == SHARED || from == IGNORED)
        refuse(l, "a cp.async goes from global to shared memory");
    l->operation = ASYNC_COPY;
    l->address = (uintptr_t)shared, l->address2 = (uintptr_t)global;
    l->bytes = (uint32_t)bytes, l->value = (uint64_t)(bytes - zeros);
    if (cpucc_recorded())
        cpucc_await_turn(l);
    struct async_copy *c = new_copy(l, CP_ASYNC);
    c->pieces = cpucc_nonnull(calloc(2, sizeof *c->pieces));
    if (bytes > zeros)
        c->pieces[c->count++] =
            (struct piece){(uintptr_t)shared, (uintptr_t)global, (uint32_t)(bytes - zeros)};
    if (zeros)
        c->pieces[c->count++] =
            (struct piece){(uintptr_t)shared + (uintptr_t)(bytes - zeros), 0, (uint32_t)zeros};
    if (cpucc_recorded())
        CPUCC_TELL(copy_pending, (uintptr_t)shared, (uint32_t)bytes);
    append(&l->first, &l->last, c);
}

void cpucc_cp_async(void *shared, const void *global, int bytes, int zeros)
{
    copy_async(shared, global, bytes, zeros, false);
}

/* Starts a cp.async.ca, which caches in L1. Copies of 4 and 8 bytes have no other form. */
void cpucc_cp_async_ca(void *shared, const void *global, int bytes, int zeros)
{
    copy_async(shared, global, bytes, zeros, true);
}

void cpucc_cp_async_commit(void)
{
    if (!cpucc_current)
        return;
    cpucc_current->open_group++;
    CPUCC_TELL(copies_committed, cpucc_current);
}

/* Makes an arrival at the mbarrier once the lane's cp.async copies so far are complete; `more`: the phase
 * expects an arrival more (cp.async.mbarrier.arrive without .noinc). */
void cpucc_cp_async_arrive(void *barrier, int more)
{
    CALLED_BY(l);
    cpucc_settle(l);
    struct mbarrier *m = cpucc_find_mbarrier(l, barrier, false);
    struct async_copy *c = new_copy(l, ARRIVAL);
    c->barrier = m, l->arrival = c->number;
    m->pending += more != 0;
    CPUCC_TELL(mbarrier, l, m, MB_ARRIVING);
    append(&m->first, &m->last, c);
}

/* ---- bulk and tensor copies ---- */

/* Counts a bulk or tensor copy: its bytes, and as ideal work those inside the tensor. */
static void count_tma(struct lane *l, int counter, struct async_copy *c,
                      const struct tensor_map *map, const int *at)
{
    if (!cpucc_recorded())
        return;
    CPUCC_TELL(tma_counted, l, counter, c, map, at);
    cpucc_note_work(l->warp, 1u << l->index);
    uint64_t all = 0, inside = 0;
    for (int i = 0; i < c->count; i++) {
        all += c->pieces[i].bytes;
        inside += c->pieces[i].global ? c->pieces[i].bytes : 0;
    }
    cpucc_count_tma(l->pc, counter, all, inside);
    struct traffic_cost sectors = cpucc_peer_units(c->pieces, c->count, TRAFFIC_SECTOR_BYTES);
    if (sectors.work)
        cpucc_count_peer_copy(l->pc, counter == CPUCC_TMA_LOAD, sectors,
                              cpucc_peer_units(c->pieces, c->count, TRAFFIC_PACKET_BYTES));
}

/* Lets the copy complete on the mbarrier; `load`: it comes from global memory. */
static void attach_to_mbarrier(struct lane *l, struct async_copy *c, void *barrier, bool load)
{
    struct mbarrier *m = cpucc_find_mbarrier(l, barrier, true);
    for (int i = 0; i < c->count; i++)
        c->bytes += c->pieces[i].bytes;
    c->barrier = m;
    if (cpucc_block_of(m->address) == l->warp->block) {
        uint32_t loaded = load ? c->bytes : 0;
        m->copied = true, m->loads += loaded;
        cpucc_note_in_flight(l->warp->block, (int64_t)loaded);
        cpucc_later_bytes += m->filled ? loaded : 0;
    } else {
        cpucc_state_changes++; /* a waiting block may go on */
    }
    if (check_copy(l, c))
        append(&m->first, &m->last, c);
}

static unsigned multicast;

/* Makes the next load write the same offset in several blocks of the cluster; bit r: rank r. */
void cpucc_multicast(unsigned ranks) { multicast = ranks; }

static void start_load(struct lane *l, struct async_copy *c, void *barrier,
                       const struct tensor_map *map, const int *at)
{
    unsigned ranks = multicast;
    multicast = 0;
    count_tma(l, CPUCC_TMA_LOAD, c, map, at);
    cpucc_requests++;
    if (!ranks) {
        attach_to_mbarrier(l, c, barrier, true);
        return;
    }
    for (unsigned rank = 0; ranks >> rank; rank++) {
        if (!(ranks >> rank & 1))
            continue;
        struct async_copy *one = new_copy(l, LOAD);
        one->pieces = cpucc_nonnull(malloc(sizeof *one->pieces * (size_t)(c->count + 1)));
        memcpy(one->pieces, c->pieces, sizeof *one->pieces * (size_t)c->count);
        char *there = cpucc_map_shared(barrier, rank);
        if (c->count)
            cpucc_map_shared((const void *)c->pieces[0].shared, rank);
        for (one->count = 0; one->count < c->count; one->count++)
            one->pieces[one->count].shared += (uintptr_t)there - (uintptr_t)barrier;
        attach_to_mbarrier(l, one, there, true);
    }
    cpucc_free_copy(c);
}

static void start_store(struct lane *l, struct async_copy *c, const struct tensor_map *map,
                        const int *at)
{
    count_tma(l, CPUCC_TMA_STORE, c, map, at);
    cpucc_requests++;
    c->group = l->bulk_group;
    if (check_copy(l, c))
        append(&l->first, &l->last, c);
}

static const char NEEDS_16[] =
    "a bulk copy needs both addresses and the size to be multiples of 16";

static struct piece *pieces_of_16(uintptr_t shared, uintptr_t global, int bytes, int *count)
{
    struct piece *list = cpucc_nonnull(malloc(sizeof *list * (size_t)bytes / 16));
    for (*count = 0; *count * 16 < bytes; ++*count)
        list[*count] =
            (struct piece){shared + (uintptr_t)*count * 16, global + (uintptr_t)*count * 16, 16};
    return list;
}

static struct piece *bulk_pieces(struct lane *l, const void *shared, const void *global, int bytes,
                                 int *count)
{
    if (bytes <= 0 || bytes % 16 || (uintptr_t)shared % 16 || (uintptr_t)global % 16)
        refuse(l, NEEDS_16);
    if (!cpucc_is_shared_pointer(shared) || cpucc_is_shared_pointer(global))
        refuse(l, "a bulk copy goes between shared and global memory");
    return pieces_of_16((uintptr_t)shared, (uintptr_t)global, bytes, count);
}

void cpucc_bulk_load(void *shared, const void *global, int bytes, void *barrier)
{
    CALLED_BY(l);
    struct async_copy *c = new_copy(l, LOAD);
    c->pieces = bulk_pieces(l, shared, global, bytes, &c->count);
    start_load(l, c, barrier, NULL, NULL);
}

/* Copies from shared memory to another block of the cluster. No counter includes such copies. */
void cpucc_bulk_peer(void *to, const void *from, int bytes, void *barrier)
{
    CALLED_BY(l);
    cpucc_settle(l);
    if (bytes <= 0 || bytes % 16 || (uintptr_t)to % 16 || (uintptr_t)from % 16)
        refuse(l, NEEDS_16);
    struct async_copy *c = new_copy(l, LOAD);
    c->pieces = pieces_of_16((uintptr_t)to, (uintptr_t)from, bytes, &c->count);
    cpucc_other_atomic_bytes += (uint64_t)bytes;
    attach_to_mbarrier(l, c, barrier, false);
}

/* operation: add, min, max, inc, dec, and, or, xor; type: as in struct ptx_type. */
void cpucc_bulk_reduce(void *global, const void *shared, int bytes, int operation, char type,
                       int bits)
{
    CALLED_BY(l);
    cpucc_settle(l);
    struct async_copy *c = new_copy(l, STORE);
    c->reduction = (struct reduction){true, operation, type, bits / 8};
    c->pieces = bulk_pieces(l, shared, global, bytes, &c->count);
    start_store(l, c, NULL, NULL);
}

void cpucc_bulk_store(void *global, const void *shared, int bytes)
{
    CALLED_BY(l);
    cpucc_settle(l);
    struct async_copy *c = new_copy(l, STORE);
    c->pieces = bulk_pieces(l, shared, global, bytes, &c->count);
    start_store(l, c, NULL, NULL);
}

static struct piece *tensor_pieces(struct lane *l, const void *map, int rank, const int *at,
                                   const void *shared, int *count)
{
    if (!cpucc_is_tensor_map(map))
        refuse(l, "this is not a tensor map made by cuTensorMapEncodeTiled");
    if (!cpucc_map_in_place(l, map))
        refuse(l, "the tensor map is in local memory: as a parameter it must be const "
                  "__grid_constant__");
    const struct tensor_map *m = map;
    if (m->rank != rank)
        refuse(l, "the tensor map's rank differs from the copy's");
    if (!cpucc_is_shared_pointer(shared) || (uintptr_t)shared % 128)
        refuse(l, "a tensor copy needs shared memory aligned to 128 bytes");
    return cpucc_box_pieces(m, at, (uintptr_t)shared, count);
}

void cpucc_tensor_load(void *shared, const void *map, int rank, int x0, int x1, int x2, int x3,
                       int x4, void *barrier)
{
    CALLED_BY(l);
    int at[5] = {x0, x1, x2, x3, x4};
    struct async_copy *c = new_copy(l, LOAD);
    c->pieces = tensor_pieces(l, map, rank, at, shared, &c->count);
    start_load(l, c, barrier, map, at);
}

void cpucc_tensor_store(const void *map, int rank, int x0, int x1, int x2, int x3, int x4,
                        const void *shared)
{
    CALLED_BY(l);
    cpucc_settle(l);
    int at[5] = {x0, x1, x2, x3, x4};
    struct async_copy *c = new_copy(l, STORE);
    c->pieces = tensor_pieces(l, map, rank, at, shared, &c->count);
    start_store(l, c, map, at);
}

void cpucc_bulk_commit(void)
{
    if (cpucc_current)
        cpucc_current->bulk_group++;
}
