/*
 * Checks the accesses of sealed, i.e. untrusted, code at run time. `cpucc --sealed` compiles such
 * code (frontend/seal.c). The functions below let sealed device code reach only the range that
 * cpucc_access has just allowed and counted, its own local variables, and constants. Local
 * variables lie in the lower part of each CUDA thread's stack. The upper part holds machine frames
 * and return addresses, which sealed code cannot reach.
 */
#include <stdlib.h>
#include <string.h>
#include "execution.h"

enum { LOWEST = STACK_GUARD }; /* offset in the stack of the first local variable */

static const char *parameters;
static size_t parameter_bytes;

void cpucc_seal(void) { cpucc_sealed = true; }

void cpucc_seal_parameters(const void *start, size_t bytes)
{
    parameters = start;
    parameter_bytes = bytes;
}

static bool lies_within(uintptr_t a, size_t bytes, const char *start, const char *end)
{
    return start && a >= (uintptr_t)start && a <= (uintptr_t)end && bytes <= (uintptr_t)end - a;
}

bool *cpucc_altered, cpucc_exchanges_free;
/* By unit: the lane or warp that has stored it, of variables its block's number; NULL: none, or it may load it altered. */
static const void **stored_by;
static uint32_t *stored_in;        /* by unit of shared memory: the request that has stored it */
static unsigned char *byte_before; /* by unit of one byte: as it was stored */
static size_t unit, shared_units;
static enum altered_words altered_words;
static bool (*change)(void *, bool);

void cpucc_alter_shared(size_t bytes, enum altered_words words, bool (*how)(void *unit, bool back))
{
    size_t variables = (size_t)(__stop_cpucc_device - __start_cpucc_device);
    shared_units = (size_t)(cpucc_slots_end - cpucc_slots) / bytes;
    size_t units = shared_units + variables / bytes + 1;
    free(cpucc_altered);
    free(stored_by);
    free(stored_in);
    free(byte_before);
    cpucc_altered = cpucc_nonnull(calloc(units, 1));
    stored_by = cpucc_nonnull(calloc(units, sizeof *stored_by));
    stored_in = cpucc_nonnull(calloc(units, sizeof *stored_in));
    byte_before = cpucc_nonnull(calloc(units, 1));
    unit = bytes, change = how, altered_words = words;
}

uint32_t cpucc_request_of(const struct lane *l, uintptr_t pc)
{
    uint64_t key = (l->path_hash ^ pc) * 0x9e3779b97f4a7c15u ^
                   ((uint64_t)l->warp->block->serial << 5 | (uint64_t)l->warp->number);
    return (uint32_t)(key * 0x9e3779b97f4a7c15u >> 32) | 1;
}

static uint32_t units_from[WARP + 1]; /* that requests load which take from so many stores */

uint64_t cpucc_stores_per_load(void) { return traffic_median(units_from, WARP); }

/* Notes that the request loads a unit that request `stored` has stored: among those of the last blocks. */
static void note_passing(uint32_t request, uint32_t stored)
{
    enum { BITS = 20, MOST = 1 << BITS };
    static struct {
        uint64_t key; /* a request's, or that of two */
        uint32_t units, stores;
    } keys[MOST];
    static uint32_t used;
    uint64_t key[2] = {(uint64_t)request << 32, (uint64_t)request << 32 | stored}, at[2];
    if (used > MOST / 2) { /* nearly all are of blocks that have ended */
        memset(keys, 0, sizeof keys);
        used = 0;
    }
    for (int i = 0; i < 2; i++) {
        at[i] = key[i] * 0x9e3779b97f4a7c15u >> (64 - BITS);
        while (keys[at[i]].key && keys[at[i]].key != key[i])
            at[i] = (at[i] + 1) % MOST;
        used += !keys[at[i]].key;
        keys[at[i]].key = key[i];
    }
    __typeof__(&keys[0]) load = &keys[at[0]];
    units_from[load->stores] -= load->units++;
    load->stores += !keys[at[1]].units++ && load->stores < WARP;
    units_from[load->stores] += load->units;
}

void cpucc_alter(const struct lane *by, uint32_t request, uintptr_t address, size_t bytes,
                 bool load)
{
    for (uintptr_t a = address / unit * unit; a < address + bytes; a += unit) {
        bool shared = cpucc_is_shared_pointer((void *)a);
        if (shared ? altered_words == OF_OTHER_BLOCKS
                   : altered_words != OF_OTHER_BLOCKS ||
                         a - (uintptr_t)__start_cpucc_device >=
                             (uintptr_t)(__stop_cpucc_device - __start_cpucc_device))
            return;
        const void *me = !by       ? NULL
                         : !shared ? (const void *)(uintptr_t)by->warp->block->serial
                         : altered_words == OF_OTHER_WARPS ? (const void *)by->warp
                                                           : by;
        size_t i = shared ? (a - (uintptr_t)cpucc_slots) / unit
                          : shared_units + (a - (uintptr_t)__start_cpucc_device) / unit;
        bool *is = cpucc_altered + i, own = me && stored_by[i] == me;
        if (load && shared && by && !own && stored_by[i] && stored_in[i])
            note_passing(request, stored_in[i]);
        if (load && !*is && !own && (shared || stored_by[i])) {
            byte_before[i] = *(const unsigned char *)a;
            *is = change((void *)a, false);
        } else if ((!load || own || altered_words == IN_TURN) && *is) { /* it was loaded before */
            *is = !change((void *)a, true);
            if (load && unit == 1)
                *(unsigned char *)a = byte_before[i];
        }
        if (!load)
            stored_by[i] = altered_words == OWN_TOO || altered_words == IN_TURN ? NULL : me,
            stored_in[i] = request;
    }
}

uint64_t cpucc_exchanged(uint64_t value, uint32_t broadcast)
{
    const uint64_t small = unit == 4 ? 128 : 2;
    if (cpucc_exchanges_free)
        return value;
    cpucc_exchanges += broadcast ? (uint64_t)(WARP / __builtin_popcount(broadcast)) : 1;
    return !cpucc_altered || broadcast || value < small || value == UINT32_MAX || value + 1 == 0
               ? value
               : 0xc5c5c5c5c5c5c5c5;
}

static bool is_local(const struct lane *l, uintptr_t a, size_t bytes)
{
    return lies_within(a, bytes, l->stack + LOWEST, l->stack + SEALED_LOCAL);
}

uint64_t cpucc_local_bytes;

/* Counts the bytes if the lanes of a warp make the same access of an own array at more than PLACES places in their
 * stacks, and this lane's is 16 bytes or more from the first lane's: a GPU then has the array in memory. (nvcc 13.0
 * keeps 8 words in registers whatever the index, and any number of words where lanes choose between two.) Accesses
 * are the same if one instruction makes them in the same calls and turns of loops. */
static void note_local(const struct lane *l, uint32_t offset, size_t bytes, uintptr_t pc)
{
    enum { MOST = 1 << 16, TRIES = 64, PLACES = 8 };
    static struct {
        uint64_t key;
        uint32_t block;
        uint16_t place[PLACES]; /* the first lane's, others, 0 */
    } access[1024 / WARP][MOST];
    uint64_t key = (l->path_hash ^ pc) * 0x9e3779b97f4a7c15u;
    uint32_t block = l->warp->block->serial;
    uint16_t place = (uint16_t)offset; /* all of a stack differ, as it has 64 KB */
    for (uint64_t i = key >> 48; i < (key >> 48) + TRIES; i++) {
        __typeof__(&access[0][0]) of = &access[l->warp->number][i % MOST];
        if (of->block != block)
            *of = (__typeof__(*of)){key, block, {place}};
        if (of->key != key)
            continue;
        if ((uint16_t)(of->place[0] - place + 15) < 31)
            return;
        for (int k = 1; k < PLACES; k++) {
            if (!of->place[k])
                of->place[k] = place;
            if (of->place[k] == place)
                return;
        }
        break;
    }
    cpucc_local_bytes += bytes;
}

static bool is_constant(uintptr_t a, size_t bytes)
{
    return lies_within(a, bytes, __start_cpucc_constant, __stop_cpucc_constant) ||
           lies_within(a, bytes, __start_cpucc_readonly, __stop_cpucc_readonly);
}

static void end_launch(struct lane *l, enum cpucc_kind kind, uintptr_t pc, const char *what)
{
    if (!l)
        abort();
    END_LAUNCH(cudaErrorIllegalAddress, l, pc, kind, "%s", what);
    abort();
}

/* Returns the running lane; ends the launch if its calls come too close to its local variables. */
static struct lane *running_lane(uintptr_t pc)
{
    struct lane *l = cpucc_current;
    if (!l)
        abort();
    if ((char *)__builtin_frame_address(0) < l->stack + SEALED_LOCAL + 4096)
        end_launch(l, LOCAL_SIZE, pc, "calls are nested too deeply");
    return l;
}

/* Allows sealed code one access of the range that cpucc_access has checked; if it is an atomic, one
 * load and one store. */
void cpucc_seal_allow(struct lane *l, uintptr_t address, uint32_t bytes, enum operation op,
                      uintptr_t pc)
{
    bool write = op == WRITE || op == VOLATILE_WRITE;
    if (cpucc_altered)
        cpucc_alter(l, cpucc_request_of(l, pc), address, bytes, !write);
    for (int w = 0; w < 2; w++) {
        struct allowed_range *a = &l->allowed[w];
        if (op != ATOMIC && w != write)
            continue;
        if (op != ATOMIC && a->end == address && a->start != a->end)
            a->end = address + bytes; /* pieces of one access */
        else
            *a = (struct allowed_range){address, address + bytes};
    }
}

/* Ends the launch unless the access is allowed. `how`: 0 for a load, 1 for a store, 2 for a local variable
 * that the run time will write; SEAL_FIXED is added if a local variable is always accessed at this place. */
void cpucc_seal_guard(uintptr_t address, size_t bytes, int how)
{
    int write = how & ~SEAL_FIXED;
    struct lane *l = running_lane(SITE);
    if (is_local(l, address, bytes)) {
        if (write == how)
            note_local(l, (uint32_t)(address - (uintptr_t)l->stack), bytes, SITE);
        return;
    }
    if (write == 0 && is_constant(address, bytes))
        return;
    struct allowed_range *a = &l->allowed[write != 0];
    if (write < 2 && address >= a->start && address <= a->end && bytes <= a->end - address) {
        if (address == a->start) /* the rest is for the access's other pieces */
            a->start = address + bytes;
        else
            a->start = a->end = 0;
        return;
    }
    end_launch(l, OUT_OF_BOUNDS, SITE, "an access of memory that no instruction of a GPU makes");
}

void cpucc_seal_note(uintptr_t address, size_t bytes)
{
    if (cpucc_sealed && cpucc_current && is_local(cpucc_current, address, bytes))
        note_local(cpucc_current, (uint32_t)(address - (uintptr_t)cpucc_current->stack), bytes,
                   DEVICE_CALL_PC);
}

/* Notes an access of a vector's element at an index that varies: of an array that LLVM has made a vector. */
void cpucc_seal_element(uint64_t index, uint64_t bytes)
{
    note_local(running_lane(SITE), (uint32_t)(index * bytes), bytes, SITE);
}

/* Returns a mark that cpucc_seal_release takes, to free the local variables allocated since. */
uint64_t cpucc_seal_mark(void) { return running_lane(SITE)->local_used; }

void cpucc_seal_release(uint64_t mark)
{
    struct lane *l = cpucc_current;
    if (l && mark <= l->local_used)
        l->local_used = (uint32_t)mark;
}

/* Returns memory for a local variable, valid until cpucc_seal_release with an earlier mark. */
void *cpucc_seal_local(size_t bytes, size_t align)
{
    struct lane *l = running_lane(SITE);
    size_t at = l->local_used ? l->local_used : LOWEST;
    at = (at + align - 1) / align * align;
    if (bytes > SEALED_LOCAL || at + bytes > SEALED_LOCAL)
        end_launch(l, LOCAL_SIZE, SITE, "a thread's local variables take more than 60000 bytes");
    l->local_used = (uint32_t)(at + bytes);
    return l->stack + at;
}

/* Returns a copy of a struct passed by value, from the caller or from a kernel's parameters. */
void *cpucc_seal_copy(const void *from, size_t bytes, size_t align)
{
    struct lane *l = running_lane(SITE);
    if (!is_local(l, (uintptr_t)from, bytes) &&
        !lies_within((uintptr_t)from, bytes, parameters, parameters + parameter_bytes))
        end_launch(l, OUT_OF_BOUNDS, SITE, "a struct argument that is not a variable");
    return memcpy(cpucc_seal_local(bytes, align < 64 ? 64 : align), from, bytes);
}

/* Ends the launch. Sealed code calls it in place of code that the compiler assumes unreachable. */
void cpucc_seal_stop(void)
{
    end_launch(running_lane(SITE), TRAP, SITE, "unreachable code was reached");
}

void cpucc_seal_local_range(const void *p, size_t bytes, uintptr_t pc)
{
    if (cpucc_sealed && cpucc_current && !is_local(cpucc_current, (uintptr_t)p, bytes))
        end_launch(cpucc_current, OUT_OF_BOUNDS, pc, "a copy past the bounds of a local variable");
}

/* Ends the launch if sealed code names no operands of an atomic: `expected` is NULL or the value that a
 * compare-and-swap compares with. */
void cpucc_seal_atomic(uint32_t bytes, const void *expected)
{
    if (!cpucc_sealed || !cpucc_current)
        return;
    if (bytes > 16 || !bytes || bytes & (bytes - 1))
        end_launch(cpucc_current, MISALIGNED, SITE, "an atomic has 1, 2, 4, 8 or 16 bytes");
    if (expected)
        cpucc_seal_local_range(expected, bytes, SITE);
}

bool cpucc_seal_readable(const void *p, size_t bytes)
{
    const struct lane *l = cpucc_current;
    uintptr_t a = (uintptr_t)p;
    return !cpucc_sealed || !l || is_local(l, a, bytes) || is_constant(a, bytes) ||
           lies_within(a, bytes, cpucc_heap, cpucc_heap_end) ||
           lies_within(a, bytes, cpucc_slots, cpucc_slots_end);
}
