/* The checks that device code calls because frontend/guard.c inserts the calls. */
#include "checks.h"

/* Reports an index outside a local array. The inserted code then uses the array's first element. */
void cpucc_guard_index(int64_t index, int64_t count, const char *name)
{
    struct lane *l = cpucc_current;
    cpucc_flush_deferred();
    if (l)
        cpucc_fault(l, SITE, OUT_OF_BOUNDS, "element %lld of the local array '%s', which has %lld",
                    (long long)index, name, (long long)count);
}

/* Reports an access of `bytes` bytes at an offset that do not lie in the local variable. The inserted code then
 * accesses other memory. */
void cpucc_guard_local(int64_t offset, int64_t bytes, int64_t size, const char *name)
{
    struct lane *l = cpucc_current;
    cpucc_flush_deferred();
    if (l)
        cpucc_fault(l, SITE, OUT_OF_BOUNDS,
                    "bytes %lld to %lld of the local variable '%s', which has %lld",
                    (long long)offset, (long long)(offset + bytes - 1), name, (long long)size);
}

/* Reports the address of a struct that is not aligned to mask + 1 bytes, and ends the launch. */
void cpucc_guard_aligned(uintptr_t address, uintptr_t mask)
{
    struct lane *l = cpucc_current;
    if (!(address & mask) || !l || !cpucc_the_launch->recorded)
        return;
    cpucc_flush_deferred();
    l->bytes = 1;
    END_LAUNCH(cudaErrorMisalignedAddress, l, SITE, MISALIGNED,
               "%s is not a multiple of %u, the alignment of the struct's type",
               cpucc_describe_address(address), (unsigned)mask + 1);
}

/* Checks the read of a variable whose load cpucc_on_speculated has counted, where the source uses the value. */
void cpucc_guard_read(const void *p, int bytes, int reads)
{
    struct lane *l = cpucc_current;
    if (!reads || !l || !cpucc_the_launch->recorded)
        return;
    cpucc_flush_deferred();
    l->address = (uintptr_t)p, l->bytes = (uint32_t)bytes, l->operation = READ, l->pc = SITE;
    cpucc_check_access(l, l->address, l->bytes, READ, cpucc_space(l, l->address));
}
