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
        cpucc_seal_allow(l, address, bytes, op, pc);
    if (l->warp->unsettled >> l->index &
        1) /* again: other lanes of this request may have written */
        CPUCC_TELL(makes, l);
}

/* Defers or waits for a plain access, which the caller makes right after. */
static __attribute__((noinline)) void plain_access(uintptr_t address, uint32_t bytes,
                                                   enum operation op)
{
    struct lane *l = cpucc_current;
    if (bytes < 4 || !l || !cpucc_may_defer ||
        !cpucc_defer_apart(l, address, bytes, access_key(SITE, bytes, op == WRITE)))
        make_access(address, bytes, op, SITE);
    else if (cpucc_sealed)
        cpucc_seal_allow(l, address, bytes, op, SITE);
}

/* Defers the access if the lane's next row expects it. If not, returns false. */
static inline __attribute__((always_inline)) bool expected_access(uintptr_t address, uint32_t bytes,
                                                                  enum operation op)
{
    struct lane *l = cpucc_current;
    if (bytes < 4 || !l || !defer_access(l, address, bytes, op == WRITE, SITE))
        return false;
    if (cpucc_sealed)
        cpucc_seal_allow(l, address, bytes, op, SITE);
    return true;
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

#define ACCESSES(n)                                                                                \
    void cpucc_on_read##n(void *p)                                                                 \
    {                                                                                              \
        if (!expected_access((uintptr_t)p, n, READ) && cpucc_records_accesses)                     \
            plain_access((uintptr_t)p, n, READ);                                                   \
    }                                                                                              \
    void cpucc_on_write##n(void *p)                                                                \
    {                                                                                              \
        if (!expected_access((uintptr_t)p, n, WRITE) &&                                            \
            (cpucc_records_accesses || !cpucc_pages_written((uintptr_t)p, n)))                     \
            plain_access((uintptr_t)p, n, WRITE);                                                  \
    }
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

/* Called before a load that the optimiser makes before it is known whether the source reads the memory. */
void cpucc_on_speculated(void *p, int bytes)
{
    make_access((uintptr_t)p, (uint32_t)bytes, SPECULATED_READ, SITE);
}

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

/* Called before an access that is wider than its alignment; kind: 0 read, 1 write, plus 2 if it is volatile, plus
 * 4 * alignment. */
void cpucc_on_unaligned(void *p, int bytes, int kind)
{
    enum operation op = kind & 2 ? volatile_operations[kind & 1] : kind & 1 ? WRITE : READ;
    for (uint32_t at = 0, width = (uint32_t)kind / 4; at < (uint32_t)bytes; at += width)
        cpucc_access((uintptr_t)p + at, width, op, 0, NULL, SITE);
}

/* ---- copies and fills of device code, in pieces of a width that divides the addresses, and then of one byte ---- */

/* True if the range lies in the lane's local variables, whose accesses are not counted, or if no lane runs. */
static bool is_uncounted(const void *p, size_t n)
{
    const struct lane *l = cpucc_current;
    if (l && !cpucc_is_local(l, (uintptr_t)p))
        return false;
    cpucc_seal_local_range(p, n, SITE);
    return true;
}

/* Copies one piece. The read is counted at pc - 1, to keep it apart from the write. */
static void copy_piece(char *to, const char *from, size_t n, uintptr_t pc)
{
    char piece[16];
    make_access((uintptr_t)from, (uint32_t)n, READ, pc - 1);
    memcpy(piece, from, n);
    make_access((uintptr_t)to, (uint32_t)n, WRITE, pc);
    memcpy(to, piece, n);
}

/* Copies piece by piece; from the end if `to` begins within the range that is copied. */
void *cpucc_memmove_pieces(void *to, const void *from, size_t n, size_t width)
{
    bool backwards = (uintptr_t)to - (uintptr_t)from < n;
    size_t whole = n / width * width;
    uintptr_t pc = SITE;
    if (is_uncounted(to, 0) && is_uncounted(from, n) && is_uncounted(to, n))
        return memmove(to, from, n);
    for (size_t done = 0, bytes; done < n; done += bytes) {
        size_t at = backwards ? n - done : done;
        bytes = (backwards ? at > whole : at >= whole) ? 1 : width;
        at -= backwards ? bytes : 0;
        copy_piece((char *)to + at, (const char *)from + at, bytes, pc);
    }
    return to;
}

void *cpucc_memset_pieces(void *to, int value, size_t n, size_t width)
{
    uintptr_t pc = SITE;
    if (is_uncounted(to, n))
        return memset(to, value, n);
    for (size_t at = 0; at < n; at += width) {
        width = width > n - at ? 1 : width;
        make_access((uintptr_t)to + at, (uint32_t)width, WRITE, pc);
        memset((char *)to + at, value, width);
    }
    return to;
}

/* The same by name, of unknown alignment. */
void *cpucc_memcpy(void *to, const void *from, size_t n)
{
    return cpucc_memmove_pieces(to, from, n, 1);
}
void *cpucc_memmove(void *to, const void *from, size_t n)
{
    return cpucc_memmove_pieces(to, from, n, 1);
}
void *cpucc_memset(void *to, int value, size_t n) { return cpucc_memset_pieces(to, value, n, 1); }

static __attribute__((noinline)) void out_of_stack(struct lane *l, uintptr_t pc, const char *what,
                                                   uint64_t n)
{
    END_LAUNCH(cudaErrorLaunchFailure, l, pc, STACK_OVERFLOW,
               "%" PRIu64 " %s, but a thread has %zu bytes of stack", n, what,
               cpucc_stack_bytes - STACK_GUARD - STACK_RESERVE);
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
    if (l->depth < MAX_PATH_DEPTH)
        l->path[l->depth] = (struct call){pc, l->path_hash, l->call_hash, l->loops};
    /* Deep calls of untrusted code share no request, although what is mixed in here stays until they end. */
    if (l->depth < MAX_PATH_DEPTH || cpucc_sealed)
        l->path_hash = l->call_hash = (l->path_hash ^ pc) * 0x9e3779b97f4a7c15u;
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
