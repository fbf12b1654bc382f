/*
 * Part of the PTX interpreter (ptx.c). Runs operations of several lanes (shuffles, votes, barriers,
 * fences), asynchronous copies and mbarriers.
 */
#include <stdlib.h>
#include "ptx_run.h"

void cpucc_syncthreads(void);
int cpucc_syncthreads_count(int predicate);
int cpucc_syncthreads_and(int predicate);
int cpucc_syncthreads_or(int predicate);
void cpucc_barrier_sync(int number, int count);
void cpucc_barrier_arrive(int number, int count);
void cpucc_syncwarp(unsigned mask);
unsigned cpucc_activemask(void);
uint64_t cpucc_shuffle(unsigned mask, uint64_t value, int source, int width, int mode, int *valid);
unsigned cpucc_vote(unsigned mask, uint64_t value, int mode);
void cpucc_fence(int scope);
void cpucc_wait_a_while(unsigned nanoseconds);
void cpucc_trap(void);
void cpucc_cluster_arrive(void);
void cpucc_cluster_wait(void);
void cpucc_mbarrier_init(void *barrier, int arrivals);
void cpucc_mbarrier_end(void *barrier);
uint64_t cpucc_mbarrier_arrive(void *barrier, int arrivals, int bytes);
void cpucc_mbarrier_expect(void *barrier, int bytes);
void cpucc_mbarrier_wait(void *barrier, int parity);
void cpucc_mbarrier_wait_phase(void *barrier, uint64_t phase);
int cpucc_mbarrier_try(void *barrier, uint64_t phase, int by_parity);
void cpucc_fence_mbarrier_init(void);
void cpucc_fence_proxy_async(void);
void cpucc_cp_async(void *shared, const void *global, int bytes, int zeros);
void cpucc_cp_async_ca(void *shared, const void *global, int bytes, int zeros);
void cpucc_cp_async_commit(void);
void cpucc_cp_async_wait(int pending);
void cpucc_cp_async_arrive(void *barrier, int more);
void cpucc_multicast(unsigned ranks);
void cpucc_bulk_load(void *shared, const void *global, int bytes, void *barrier);
void cpucc_bulk_peer(void *to, const void *from, int bytes, void *barrier);
void cpucc_bulk_reduce(void *global, const void *shared, int bytes, int operation, char type,
                       int bits);
void cpucc_bulk_store(void *global, const void *shared, int bytes);
void cpucc_tensor_load(void *shared, const void *map, int rank, int x0, int x1, int x2, int x3,
                       int x4, void *barrier);
void cpucc_tensor_store(const void *map, int rank, int x0, int x1, int x2, int x3, int x4,
                        const void *shared);
void cpucc_bulk_commit(void);
void cpucc_bulk_wait(int pending, int read_only);

/* ---- operations of several lanes ---- */

static void shuffle(struct state *s, const struct ptx_instruction *n, int mode)
{
    bool with_predicate = n->operand[1].second;
    int first = with_predicate ? 2 : 1, valid = 0;
    uint64_t c = number(s, n, first + 2);
    int width = 32 - (int)(c >> 8 & 31);
    uint64_t v = cpucc_shuffle((unsigned)number(s, n, first + 3), number(s, n, first),
                               (int)number(s, n, first + 1), width, mode, &valid);
    put(s, &n->operand[0], low_bits(v, 32));
    if (with_predicate)
        put(s, &n->operand[1], valid != 0);
}

/* The result of redux.sync.OP.TYPE, which every lane of the mask gets. */
static uint64_t redux(struct state *s, const struct ptx_instruction *n)
{
    static const char *const operations[] = {".add", ".min", ".max", ".and", ".or", ".xor"};
    int how = 0;
    if (has(n, ".f32") || has(n, ".abs") || has(n, ".NaN"))
        cpucc_ptx_unsupported(n);
    while (how < 5 && !has(n, operations[how]))
        how++;
    how += how > 2 || (how && has(n, ".s32")) ? 2 : 0;
    return cpucc_vote((unsigned)number(s, n, 2), (uint32_t)number(s, n, 1), 3 + how);
}

void cpucc_ptx_together(struct state *s, const struct ptx_instruction *n)
{
    const struct ptx_operand *o = n->operand;
    switch (n->code) {
    case PTX_BAR_SYNC:
        if (number(s, n, 0) > 15)
            cpucc_ptx_unsupported(n);
        if (n->operands > 1 || number(s, n, 0))
            cpucc_barrier_sync((int)number(s, n, 0), (int)number(s, n, 1));
        else
            cpucc_syncthreads();
        return;
    case PTX_BAR_ARRIVE:
        if (number(s, n, 0) > 15)
            cpucc_ptx_unsupported(n);
        cpucc_barrier_arrive((int)number(s, n, 0), (int)number(s, n, 1));
        return;
    case PTX_BAR_RED: {
        int p = number(s, n, 2) & 1;
        put(s, &o[0],
            (uint64_t)(has(n, ".popc")  ? cpucc_syncthreads_count(p)
                       : has(n, ".and") ? cpucc_syncthreads_and(p)
                                        : cpucc_syncthreads_or(p)));
        return;
    }
    case PTX_BAR_WARP_SYNC: cpucc_syncwarp((unsigned)number(s, n, 0)); return;
    case PTX_MEMBAR:
    case PTX_FENCE:
        cpucc_fence(has(n, ".cta") || (n->cluster && cpucc_cluster(1) == 1) ? 0
                    : has(n, ".sys")                                        ? 2
                                                                            : 1);
        return;
    case PTX_FENCE_INIT: cpucc_fence_mbarrier_init(); return;
    case PTX_FENCE_PROXY:
        if (!has(n, ".global")) /* which orders no accesses of shared memory */
            cpucc_fence_proxy_async();
        return;
    case PTX_ACTIVEMASK: put(s, &o[0], cpucc_activemask()); return;
    case PTX_VOTE_ALL: /* no lane votes against it */
        put(s, &o[0], !cpucc_vote((unsigned)number(s, n, 2), !(number(s, n, 1) & 1), 0));
        return;
    case PTX_VOTE_ANY:
    case PTX_VOTE_BALLOT: {
        unsigned lanes = cpucc_vote((unsigned)number(s, n, 2), number(s, n, 1) & 1, 0);
        put(s, &o[0], n->code == PTX_VOTE_ANY ? lanes != 0 : lanes);
        return;
    }
    case PTX_REDUX: put(s, &o[0], redux(s, n)); return;
    case PTX_MATCH_ANY:
        put(s, &o[0], cpucc_vote((unsigned)number(s, n, 2), number(s, n, 1), 1));
        return;
    case PTX_MATCH_ALL: {
        bool with_predicate = o[1].second;
        unsigned m = cpucc_vote((unsigned)number(s, n, with_predicate ? 3 : 2),
                                number(s, n, with_predicate ? 2 : 1), 2);
        put(s, &o[0], m);
        if (with_predicate)
            put(s, &o[1], m != 0);
        return;
    }
    case PTX_SHFL_IDX: shuffle(s, n, 0); return;
    case PTX_SHFL_UP: shuffle(s, n, 1); return;
    case PTX_SHFL_DOWN: shuffle(s, n, 2); return;
    case PTX_SHFL_BFLY: shuffle(s, n, 3); return;
    case PTX_ELECT: { /* the lowest lane of the mask */
        unsigned mask = (unsigned)number(s, n, 2),
                 leader = (unsigned)__builtin_ctz(mask ? mask : 1);
        cpucc_vote(mask, 1, 0);
        put(s, &o[0], leader);
        put(s, &o[1], cpucc_special(2) == leader);
        return;
    }
    case PTX_NANOSLEEP: cpucc_wait_a_while((unsigned)number(s, n, 0)); return;
    case PTX_CLUSTER_ARRIVE: cpucc_cluster_arrive(); return;
    case PTX_CLUSTER_WAIT: cpucc_cluster_wait(); return;
    default: cpucc_trap();
    }
}

/* ---- asynchronous copies and mbarriers ---- */

/* Runs cp.async.bulk.tensor. Its operands are flattened: [a, {x, y}], [b] is a, x, y, b. */
static void tensor(struct state *s, const struct ptx_instruction *n)
{
    int rank = atoi(n->modifiers + 1), at[5] = {0};
    if (rank < 1 || rank > 5)
        cpucc_ptx_unsupported(n);
    bool load = !strncmp(n->modifiers + 3, ".shared", 7);
    for (int i = 0; i < rank; i++)
        at[i] = (int)number(s, n, (load ? 2 : 1) + i);
    if (load && has(n, ".multicast::cluster"))
        cpucc_multicast((unsigned)number(s, n, 3 + rank) & 0xffff);
    if (load)
        cpucc_tensor_load(address(s, n, 0, true), address(s, n, 1, false), rank, at[0], at[1],
                          at[2], at[3], at[4], address(s, n, 2 + rank, true));
    else
        cpucc_tensor_store(address(s, n, 0, false), rank, at[0], at[1], at[2], at[3], at[4],
                           address(s, n, 1 + rank, true));
}

static void reduce(struct state *s, const struct ptx_instruction *n)
{
    struct ptx_type t = n->type[0];
    int operation = reduction_of(n);
    bool number_kind = strchr("fhe", t.kind) != NULL;
    if (operation < 0 || !n->types || (number_kind && operation > 2) ||
        (!number_kind && t.bits < 32))
        cpucc_ptx_unsupported(n);
    cpucc_bulk_reduce(address(s, n, 0, false), address(s, n, 1, true), (int)number(s, n, 2),
                      operation, t.kind, t.bits);
}

void cpucc_ptx_copies(struct state *s, const struct ptx_instruction *n)
{
    const struct ptx_operand *o = n->operand;
    bool shared = n->shared; /* without it an mbarrier's address is generic */
    switch (n->code) {
    case PTX_CREATEPOLICY: put(s, &o[0], 0); return;
    case PTX_MB_INIT: cpucc_mbarrier_init(address(s, n, 0, shared), (int)number(s, n, 1)); return;
    case PTX_MB_INVAL: cpucc_mbarrier_end(address(s, n, 0, shared)); return;
    case PTX_MB_ARRIVE:
        put(s, &o[0],
            cpucc_mbarrier_arrive(address(s, n, 1, shared),
                                  n->operands > 2 ? (int)number(s, n, 2) : 1, 0));
        return;
    case PTX_MB_ARRIVE_TX:
        put(s, &o[0], cpucc_mbarrier_arrive(address(s, n, 1, shared), 1, (int)number(s, n, 2)));
        return;
    case PTX_MB_EXPECT_TX:
        cpucc_mbarrier_expect(address(s, n, 0, shared), (int)number(s, n, 1));
        return;
    case PTX_MB_TRY:
    case PTX_MB_TRY_PARITY:
    case PTX_MB_TEST:
    case PTX_MB_TEST_PARITY: {
        bool by_parity = n->code == PTX_MB_TRY_PARITY || n->code == PTX_MB_TEST_PARITY;
        uint64_t phase = by_parity ? number(s, n, 2) & 1 : number(s, n, 2);
        void *barrier = address(s, n, 1, shared);
        if (n->waits && by_parity)
            cpucc_mbarrier_wait(barrier, (int)phase);
        else if (n->waits)
            cpucc_mbarrier_wait_phase(barrier, phase);
        put(s, &o[0], n->waits ? 1 : (uint64_t)cpucc_mbarrier_try(barrier, phase, by_parity));
        return;
    }
    case PTX_CP_CA:
    case PTX_CP_CG: {
        int bytes = (int)number(s, n, 2), from = bytes;
        if (n->operands > 3 + n->hinted) /* src-size, or the predicate ignore-src */
            from = !o[3].predicate ? (int)number(s, n, 3) : number(s, n, 3) & 1 ? 0 : bytes;
        (n->code == PTX_CP_CA ? cpucc_cp_async_ca : cpucc_cp_async)(
            address(s, n, 0, true), address(s, n, 1, false), bytes, bytes - from);
        return;
    }
    case PTX_CP_COMMIT: cpucc_cp_async_commit(); return;
    case PTX_CP_WAIT: cpucc_cp_async_wait((int)number(s, n, 0)); return;
    case PTX_CP_WAIT_ALL:
        cpucc_cp_async_commit();
        cpucc_cp_async_wait(0);
        return;
    case PTX_CP_ARRIVE: cpucc_cp_async_arrive(address(s, n, 0, shared), !has(n, ".noinc")); return;
    case PTX_BULK_LOAD:
    case PTX_BULK_LOAD_CTA:
        if (has(n, ".multicast::cluster"))
            cpucc_multicast((unsigned)number(s, n, 4) & 0xffff);
        cpucc_bulk_load(address(s, n, 0, true), address(s, n, 1, false), (int)number(s, n, 2),
                        address(s, n, 3, true));
        return;
    case PTX_BULK_STORE:
        cpucc_bulk_store(address(s, n, 0, false), address(s, n, 1, true), (int)number(s, n, 2));
        return;
    case PTX_BULK_PEER:
        cpucc_bulk_peer(address(s, n, 0, true), address(s, n, 1, true), (int)number(s, n, 2),
                        address(s, n, 3, true));
        return;
    case PTX_BULK_REDUCE: reduce(s, n); return;
    case PTX_BULK_COMMIT: cpucc_bulk_commit(); return;
    case PTX_BULK_WAIT: cpucc_bulk_wait((int)number(s, n, 0), has(n, ".read")); return;
    default: tensor(s, n);
    }
}
