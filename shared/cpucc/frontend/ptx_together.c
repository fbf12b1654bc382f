/*
 * Part of the PTX interpreter (ptx.c). Runs operations of several lanes (shuffles, votes, barriers,
 * fences), asynchronous copies and mbarriers.
 */
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

/* Returns the number of a barrier; a block has 16. */
static int barrier(const struct ptx_instruction *n, uint32_t number)
{
    if (number > 15)
        cpucc_ptx_unsupported(n);
    return (int)number;
}

static void wait_at(const struct ptx_instruction *n, int number, int threads)
{
    if (n->operands > 1 || number)
        cpucc_barrier_sync(number, threads);
    else
        cpucc_syncthreads();
}

static uint64_t count_at_barrier(const struct ptx_instruction *n, int p)
{
    return (uint64_t)(has(n, ".popc")  ? cpucc_syncthreads_count(p)
                      : has(n, ".and") ? cpucc_syncthreads_and(p)
                                       : cpucc_syncthreads_or(p));
}

/* The scope of a fence: 0 the block, 1 the device, 2 the system. A block may be all of its cluster. */
static int scope_of(const struct ptx_instruction *n)
{
    bool block = has(n, ".cta") || (n->cluster && cpucc_cluster(1) == 1);
    return block ? 0 : has(n, ".sys") ? 2 : 1;
}

static void shuffle(const uint64_t *v, uint64_t *r, int mode)
{
    int valid = 0, width = 32 - (int)(V(3) >> 8 & 31);
    r[0] = (uint32_t)cpucc_shuffle(U(4), V(1), I(2), width, mode, &valid);
    r[SECOND] = valid != 0;
}

/* The result of redux.sync.OP.TYPE, which every lane of the mask gets. */
static uint64_t redux(const struct ptx_instruction *n, unsigned mask, uint32_t value)
{
    int how = reduction_of(n);
    if (how < 0 || has(n, ".f32") || has(n, ".abs") || has(n, ".NaN"))
        cpucc_ptx_unsupported(n);
    how += (how == 1 || how == 2) && has(n, ".s32") ? 2 : 0;
    return cpucc_vote(mask, value, 3 + how);
}

/* Elects the lowest lane of the mask. */
static void elect(unsigned mask, uint64_t *r)
{
    r[0] = (uint64_t)__builtin_ctz(mask ? mask : 1);
    cpucc_vote(mask, 1, 0);
    r[SECOND] = cpucc_special(2) == r[0];
}

void cpucc_ptx_together(const struct ptx_instruction *n, const uint64_t *v, uint64_t *r)
{
    switch (n->code) {
        PTX_TOGETHER(PTX_RUN)
    default: break;
    }
}

/* ---- asynchronous copies and mbarriers ---- */

/* Waits for the phase, which may be given by its parity, if the statement does; whether it is complete. */
static bool wait_for(const struct ptx_instruction *n, void *mbarrier, uint64_t phase)
{
    bool parity = has(n, ".parity");
    phase &= parity ? 1 : ~UINT64_C(0);
    if (!n->waits)
        return cpucc_mbarrier_try(mbarrier, phase, parity);
    if (parity)
        cpucc_mbarrier_wait(mbarrier, (int)phase);
    else
        cpucc_mbarrier_wait_phase(mbarrier, phase);
    return true;
}

/* How many of a cp.async's bytes are zeros: those behind src-size, or all if the predicate ignore-src holds. */
static int zeros(const struct ptx_instruction *n, const uint64_t *v)
{
    if (n->operands <= 3 + n->hinted)
        return 0;
    return !n->operand[3].predicate ? I(2) - I(3) : V(3) & 1 ? I(2) : 0;
}

/* The next copy also goes to the blocks of the mask, if it is a multicast. */
static void multicast(const struct ptx_instruction *n, unsigned blocks)
{
    if (has(n, ".multicast::cluster"))
        cpucc_multicast(blocks & 0xffff);
}

/* A tensor's coordinates, at most 5, which are the operands from number `first` on; then come 0. */
#define COORDINATES(first)                                                                         \
    I(first), n->vector > 1 ? I((first) + 1) : 0, n->vector > 2 ? I((first) + 2) : 0,              \
        n->vector > 3 ? I((first) + 3) : 0, n->vector > 4 ? I((first) + 4) : 0

static void load_tensor(const struct ptx_instruction *n, const uint64_t *v)
{
    multicast(n, U(3 + n->vector));
    cpucc_tensor_load(P(0), P(1), n->vector, COORDINATES(2), P(2 + n->vector));
}

static void store_tensor(const struct ptx_instruction *n, const uint64_t *v)
{
    cpucc_tensor_store(P(0), n->vector, COORDINATES(1), P(1 + n->vector));
}

static void reduce(const struct ptx_instruction *n, void *global, const void *shared, int bytes)
{
    struct ptx_type t = type_of(n);
    int operation = reduction_of(n);
    bool real = strchr("fhe", t.kind) != NULL;
    if (operation < 0 || !n->types || (real && operation > 2) || (!real && t.bits < 32))
        cpucc_ptx_unsupported(n);
    cpucc_bulk_reduce(global, shared, bytes, operation, t.kind, t.bits);
}

void cpucc_ptx_copies(const struct ptx_instruction *n, const uint64_t *v, uint64_t *r)
{
    switch (n->code) {
        PTX_COPIES(PTX_RUN)
    default: break;
    }
}
