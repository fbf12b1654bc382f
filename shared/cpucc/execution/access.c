/*
 * The functions that compiled device code calls before each load, store and atomic, and at the ends of
 * functions. frontend/instrument.c inserts the calls.
 */
#include <inttypes.h>
#include <string.h>
#include "deferred_access.h"

/* ---- the compiler's calls ---- */

/* Returns when the lane may make this access; the access has been checked and counted. */
static void make_access(uintptr_t address, uint32_t bytes, enum operation op, uintptr_t pc)
{
    struct lane *l = cpucc_current;
    if (!l)
        return;
    const struct launch *L = cpucc_the_launch;
    if (!L->recorded) {
        if ((op == WRITE || op == VOLATILE_WRITE) && !cpucc_is_local(l, address))
            cpucc_mark_written(address, bytes);
        return;
    }
    if (cpucc_is_local(l, address) || address - (uintptr_t)L->arguments < L->argument_bytes)
        return;
    l->address = address, l->bytes = bytes, l->operation = op, l->pc = pc;
    /* Prefetches the word and its record while the warp's other lanes arrive. */
    __builtin_prefetch((const void *)address, 1);
    if (cpucc_keeps_records)
        __builtin_prefetch(cpucc_shadow(address), 1);
    cpucc_await_turn(l);
    if (cpucc_sealed)
        cpucc_seal_allow(l, address, bytes, op);
    if (l->warp->unsettled >> l->index &
        1) /* again: other lanes of this request may have written */
        CPUCC_TELL(makes, l);
}

/* Defers or waits for a plain access, which the caller makes right after. Most are deferred. */
static inline __attribute__((always_inline)) void plain_access(uintptr_t address, uint32_t bytes,
                                                               enum operation op, uintptr_t pc)
{
    struct lane *l = cpucc_current;
    if (bytes < 4 || !l || !cpucc_may_defer || !defer_access(l, address, bytes, op == WRITE, pc))
        make_access(address, bytes, op, pc);
    else if (cpucc_sealed)
        cpucc_seal_allow(l, address, bytes, op);
}

/* Waits for an atomic, a volatile access, or an access with an order, and passes its order on.
 * `expected`: the value that a compare-and-swap compares with, else NULL. */
static inline void strong_access(uintptr_t address, uint32_t bytes, enum operation op,
                                 unsigned strength, const void *expected, uintptr_t pc)
{
    struct lane *l = cpucc_current;
    if (l)
        l->strength = strength;
    if (strength & SYSTEM_SCOPE)
        cpucc_signals_host = true;
    make_access(address, bytes, op, pc);
    if (l && l->address == address && cpucc_space(l, address) != IGNORED)
        CPUCC_TELL(synchronises, l, !expected || !memcmp((const void *)address, expected, bytes));
}

void cpucc_access(uintptr_t address, uint32_t bytes, enum operation op, unsigned strength,
                  const void *expected, uintptr_t pc)
{
    if (op == READ || op == WRITE)
        make_access(address, bytes, op, pc);
    else
        strong_access(address, bytes, op, strength, expected, pc);
}

/* The calls that need nothing return before the others save registers. */
#define ACCESSES(n)                                                                                \
    static __attribute__((noinline)) void read##n(uintptr_t p) { plain_access(p, n, READ, SITE); } \
    static __attribute__((noinline)) void write##n(uintptr_t p)                                    \
    {                                                                                              \
        plain_access(p, n, WRITE, SITE);                                                           \
    }                                                                                              \
    void cpucc_on_read##n(void *p)                                                                 \
    {                                                                                              \
        if (cpucc_records_accesses)                                                                \
            read##n((uintptr_t)p);                                                                 \
    }                                                                                              \
    void cpucc_on_write##n(void *p)                                                                \
    {                                                                                              \
        if (cpucc_records_accesses || !cpucc_pages_written((uintptr_t)p, n))                       \
            write##n((uintptr_t)p);                                                                \
    }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* Called before a load by the read-only cache, which may hold what the memory held before. */
void cpucc_on_read_only(void *p, int bytes)
{
    struct lane *l = cpucc_current;
    if (l && cpucc_recorded()) {
        l->pc = l->asm_pc ? l->asm_pc : SITE;
        CPUCC_TELL(read_only, l, (uintptr_t)p, (uint32_t)bytes);
    }
}

static const enum operation volatile_operations[] = {VOLATILE_READ, VOLATILE_WRITE};

/* Called before a volatile access; kind: 0 read, 1 write, plus 4 * strength. */
void cpucc_on_volatile(void *p, int bytes, int kind)
{
    strong_access((uintptr_t)p, (uint32_t)bytes, volatile_operations[kind & 1], (unsigned)kind >> 2,
                  NULL, SITE);
}

/* Makes the accesses of a struct copy or memcpy, whose alignment the compiler does not know. nvcc
 * splits them into pieces of the alignment that it can prove. Here a piece is the largest power of
 * two, up to `widest` bytes, to which the address is aligned. */
static void pieces(uintptr_t p, size_t n, size_t widest, enum operation op, uintptr_t pc)
{
    struct lane *l = cpucc_current;
    if (!l || cpucc_is_local(l, p))
        return;
    while (n) {
        size_t size = widest;
        while (size > n || p % size)
            size /= 2;
        cpucc_access(p, (uint32_t)size, op, 0, NULL, pc);
        p += size, n -= size;
    }
}

/* Called before an access whose alignment the compiler does not know; kind: 0 read, 1 write, plus 2 if
 * it is volatile. */
void cpucc_on_unaligned(void *p, int bytes, int kind)
{
    enum operation op = kind & 2 ? volatile_operations[kind & 1] : kind & 1 ? WRITE : READ;
    pieces((uintptr_t)p, (size_t)bytes, 4, op, SITE);
}

/* Returns the widest piece in bytes: n if n is 8 or 16 and both addresses are multiples, else 4. */
static size_t widest_piece(size_t n, uintptr_t a, uintptr_t b)
{
    if ((n == 16 || n == 8) && (a | b) % n == 0)
        return n;
    return 4;
}

static bool on_stack(const struct lane *l, const void *p)
{
    return cpucc_is_local(l, (uintptr_t)p);
}

/* Copies piece by piece, each read followed by its write, as nvcc's loads and stores do. Local
 * memory is not counted. Reads are counted at pc - 1, to keep them apart from the writes. */
static void copy(char *to, const char *from, size_t n, bool backwards, uintptr_t pc)
{
    struct lane *l = cpucc_current;
    uintptr_t other = on_stack(l, from) ? (uintptr_t)to : (uintptr_t)from;
    uintptr_t self = on_stack(l, to) ? (uintptr_t)from : (uintptr_t)to;
    size_t widest = widest_piece(n, other, self);
    if (backwards) { /* overlapping: all reads come first */
        pieces((uintptr_t)from, n, widest, READ, pc);
        pieces((uintptr_t)to, n, widest, WRITE, pc);
        memmove(to, from, n);
        return;
    }
    while (n) {
        size_t size = widest;
        while (size > n || other % size || self % size)
            size /= 2;
        make_access((uintptr_t)from, (uint32_t)size, READ, pc - 1);
        char piece[16];
        memcpy(piece, from, size);
        make_access((uintptr_t)to, (uint32_t)size, WRITE, pc);
        memcpy(to, piece, size);
        to += size, from += size, other += size, self += size, n -= size;
    }
}

static void *copy_call(void *to, const void *from, size_t n, bool may_overlap, uintptr_t pc)
{
    struct lane *l = cpucc_current;
    if (!l || (on_stack(l, to) && on_stack(l, from))) {
        cpucc_seal_local_range(to, n, pc);
        cpucc_seal_local_range(from, n, pc);
        return memmove(to, from, n);
    }
    uintptr_t distance = (uintptr_t)to - (uintptr_t)from;
    copy(to, from, n, may_overlap && (distance < n || -distance < n), pc);
    return to;
}

static void *set_call(void *to, int value, size_t n, uintptr_t pc)
{
    struct lane *l = cpucc_current;
    if (!l || on_stack(l, to)) {
        cpucc_seal_local_range(to, n, pc);
        return memset(to, value, n);
    }
    char *p = to;
    size_t widest = widest_piece(n, (uintptr_t)p, (uintptr_t)p);
    while (n) {
        size_t size = widest;
        while (size > n || (uintptr_t)p % size)
            size /= 2;
        make_access((uintptr_t)p, (uint32_t)size, WRITE, pc);
        memset(p, value, size);
        p += size, n -= size;
    }
    return to;
}

/* Copies and fills of device code. */
void *cpucc_memcpy(void *to, const void *from, size_t n)
{
    return copy_call(to, from, n, false, SITE);
}
void *cpucc_memmove(void *to, const void *from, size_t n)
{
    return copy_call(to, from, n, true, SITE);
}
void *cpucc_memset(void *to, int v, size_t n) { return set_call(to, v, n, SITE); }

static __attribute__((noinline)) void out_of_stack(struct lane *l, uintptr_t pc, const char *what,
                                                   uint64_t n)
{
    cpucc_fault(l, pc, STACK_OVERFLOW, "%" PRIu64 " %s, but a thread has %zu bytes of stack", n,
                what, cpucc_stack_bytes - STACK_GUARD - STACK_RESERVE);
    cpucc_abort(cudaErrorLaunchFailure);
}

/* Called before the allocation of a local array of n elements. */
void cpucc_check_local(uint64_t n)
{
    if (cpucc_current && n > cpucc_stack_bytes)
        out_of_stack(cpucc_current, SITE, "local elements", n);
}

/* cpucc_flush_deferred, inline if there is nothing to flush. */
static inline void flush(const struct lane *l)
{
    if (l->warp->deferred >> l->index & 1)
        cpucc_flush_deferred();
}

/* Enters a call in the lane's path: lanes in different calls never share a request. `here`: the site of
 * the function's beginning; the call's site is in cpucc_at. */
void cpucc_on_entry(const struct cpucc_site *here)
{
    struct lane *l = cpucc_current;
    if (!l)
        return;
    uintptr_t pc = SITE, stack = (uintptr_t)__builtin_frame_address(0);
    if (stack - (uintptr_t)l->stack < STACK_GUARD + STACK_RESERVE)
        out_of_stack(l, l->depth ? pc : (uintptr_t)here, "nested calls", (uint64_t)l->depth);
    if (!l->depth) { /* the kernel */
        l->path[0] = (struct call){pc, 0, 0, 0};
        l->path_hash = l->call_hash = pc * 0x9e3779b97f4a7c15u;
        l->depth = 1;
        return;
    }
    if (!cpucc_the_launch->recorded) {
        l->depth++;
        return;
    }
    flush(l);
    if (l->depth < MAX_PATH_DEPTH) {
        l->path[l->depth] = (struct call){pc, l->path_hash, l->call_hash, l->loops};
        l->path_hash = l->call_hash = (l->path_hash ^ pc) * 0x9e3779b97f4a7c15u;
    }
    l->caller_loops = l->depth < MAX_PATH_DEPTH ? l->loops : 0;
    l->depth++;
}

void cpucc_on_exit(void)
{
    struct lane *l = cpucc_current;
    if (!l || l->depth == 0)
        return;
    if (l->depth == 1 && l->warp->deferred >> l->index & 1)
        return; /* the thread returns; its deferred accesses belong to this call */
    if (cpucc_the_launch->recorded)
        flush(l);
    l->depth--;
    if (!cpucc_the_launch->recorded)
        return;
    if (l->depth < MAX_PATH_DEPTH) {
        l->path_hash = l->path[l->depth].path_hash;
        l->call_hash = l->path[l->depth].call_hash;
        l->loops = l->path[l->depth].loops;
    }
    l->caller_loops = l->depth > 0 && l->depth <= MAX_PATH_DEPTH ? l->path[l->depth - 1].loops : 0;
}

/* Leaves all loops of the current call that are nested deeper than `depth`. mark_loops.c inserts
 * calls of cpucc_loop at the head of every loop, and of cpucc_unloop where a loop is left. */
static void enter_depth(struct lane *l, int depth)
{
    int base = l->caller_loops;
    if (l->loops > base + depth)
        l->loops = base + depth;
    l->path_hash = l->call_hash;
    for (int i = base; i < l->loops; i++)
        l->path_hash = (l->path_hash ^ ((uint64_t)l->loop[i].loop << 32 | l->loop[i].count)) *
                       0x9e3779b97f4a7c15u;
}

void cpucc_unloop(int depth)
{
    struct lane *l = cpucc_current;
    if (!cpucc_records_accesses || !l)
        return;
    flush(l);
    enter_depth(l, depth);
}

void cpucc_loop(int loop, int depth)
{
    struct lane *l = cpucc_current;
    if (!cpucc_records_accesses || !l)
        return;
    flush(l);
    int at = l->caller_loops + depth;
    if (at >= MAX_PATH_DEPTH)
        return;
    if (at < l->loops && l->loop[at].loop == loop)
        l->loop[at].count++;
    else
        l->loop[at] = (struct iteration){loop, 0};
    l->loops = at + 1;
    enter_depth(l, depth + 1);
}

/* ---- atomics ---- */

/* Called before an atomic of device code. kind: 0 read, 1 write, 2 read-modify-write; plus
 * 4 * strength (launch_state.h). */
void cpucc_atomic_access(const void *p, int bytes, int kind)
{
    static const enum operation operations[] = {VOLATILE_READ, VOLATILE_WRITE, ATOMIC, ATOMIC};
    cpucc_seal_atomic((uint32_t)bytes, NULL);
    strong_access((uintptr_t)p, (uint32_t)bytes, operations[kind & 3], (unsigned)kind >> 2, NULL,
                  SITE);
}

void cpucc_atomic_compare(const void *p, int bytes, const void *expected, int kind)
{
    cpucc_seal_atomic((uint32_t)bytes, expected);
    strong_access((uintptr_t)p, (uint32_t)bytes, ATOMIC, (unsigned)kind >> 2 | DECIDES, expected,
                  SITE);
}
