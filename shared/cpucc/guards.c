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
