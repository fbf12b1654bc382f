/* Tells the space of an address. */
#include "memory.h"

bool cpucc_sealed;

bool cpucc_is_constant(uintptr_t a)
{
    return (a >= (uintptr_t)__start_cpucc_constant && a < (uintptr_t)__stop_cpucc_constant) ||
           (a >= (uintptr_t)__start_cpucc_readonly && a < (uintptr_t)__stop_cpucc_readonly);
}

enum space cpucc_space(const struct lane *l, uintptr_t a)
{
    if (cpucc_in_heap(a))
        return GLOBAL;
    if (cpucc_is_shared_pointer((void *)a))
        return SHARED;
    if (cpucc_is_local(l, a))
        return IGNORED; /* local memory is not counted */
    if (a >= (uintptr_t)__start_cpucc_device && a < (uintptr_t)__stop_cpucc_device)
        return GLOBAL;
    if (cpucc_is_constant(a))
        return CONSTANT;
    const struct launch *L = cpucc_the_launch;
    if (a - (uintptr_t)L->arguments < L->argument_bytes)
        return IGNORED; /* kernel parameters */
    return cpucc_registered_shadow(a) ? GLOBAL : FOREIGN;
}
