/*
 * What the checks call that frontend/guard.c has put into device code: each has found something.
 */
#include "internal.h"

#define HERE ((uintptr_t)__builtin_return_address(0))

/* An index into a local array; the access that follows goes to its first element. */
void cpucc_guard_index(int64_t index, int64_t count, const char *name)
{
    struct lane *l = cpucc_current;
    if (l)
        cpucc_fault(l, HERE, OUT_OF_BOUNDS, "element %lld of the local array '%s', which has %lld",
                    (long long)index, name, (long long)count);
}

void cpucc_guard_aligned(uintptr_t address, uintptr_t mask)
{
    struct lane *l = cpucc_current;
    if (!l || !cpucc_the_launch->recorded)
        return;
    l->bytes = 1;
    cpucc_fault(l, HERE, MISALIGNED, "%s is no multiple of %u, which the struct's type asks for",
                cpucc_describe_address(address), (unsigned)mask + 1);
    cpucc_abort(cudaErrorMisalignedAddress);
}

/* A struct is about to be copied from there: what was not written of it is taken for padding, unless
 * that is all of it. */
void cpucc_guard_struct(const char *from, uint64_t bytes)
{
    struct lane *l = cpucc_current;
    uintptr_t a = (uintptr_t)from & ~(uintptr_t)3, end = (uintptr_t)from + bytes;
    if (!l || !cpucc_the_launch->recorded || !cpucc_shadow(a) || !cpucc_all_allocated(a, end - a))
        return;
    bool any = false, all = true;
    for (uintptr_t w = a; w < end; w += 4) {
        bool written = cpucc_shadow(w)->written != 0;
        any |= written, all &= written;
    }
    if (any && !all)
        cpucc_words_written(a, end - a);
}

/* what[0] says what the variable decides; `at` is where it is stored, or NULL. */
void cpucc_guard_undefined(const char *what, const char *at)
{
    struct lane *l = cpucc_current;
    if (!l || (uintptr_t)at - (uintptr_t)l->stack < cpucc_stack_bytes)
        return;
    cpucc_fault(l, HERE, UNINITIALISED, "the local variable '%s' %s, and nothing was written to it",
                what + 1,
                what[0] == 'b'   ? "decides a branch"
                : what[0] == 'a' ? "decides an address"
                                 : "is part of what is stored");
}

/* A parameter that is __grid_constant__: its address is that of the parameter itself. */
void cpucc_grid_constant(const void *parameter, uint64_t bytes)
{
    struct lane *l = cpucc_current;
    if (l && l->grid_constants < GRID_CONSTANTS) {
        l->grid_constant[l->grid_constants].start = (uintptr_t)parameter;
        l->grid_constant[l->grid_constants++].bytes = bytes;
    }
}

/* Whether a tensor map lies where TMA can read it: anywhere but in the thread's local memory, to
 * which a parameter is copied whose address is taken, unless it is __grid_constant__. */
bool cpucc_map_in_place(const struct lane *l, const void *map)
{
    if ((uintptr_t)map - (uintptr_t)l->stack >= cpucc_stack_bytes)
        return true;
    for (int i = 0; i < l->grid_constants; i++)
        if ((uintptr_t)map - l->grid_constant[i].start < l->grid_constant[i].bytes)
            return true;
    return l->grid_constants == GRID_CONSTANTS; /* there may be more than were noted */
}

/* Keeps a shared variable that nobody reads. */
void cpucc_keep(const void *variable) { (void)variable; }
