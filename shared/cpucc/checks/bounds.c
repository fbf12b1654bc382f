/*
 * The checker `bounds`: an access of memory that is not allocated or belongs to a device without peer
 * access, a misaligned access, a write to constant memory. It ends the launch.
 */
#include "checks.h"

/* Reports a fault of the access and ends the launch with `error`. Returns false. */
static bool refuse(struct lane *l, enum cpucc_kind kind, const struct access *a, cudaError_t error)
{
    const char *verb = !a->write ? "read" : a->operation == ATOMIC ? "atomic" : "write";
    struct lane *checks = cpucc_current; /* one lane checks for its whole warp */
    cpucc_current = l;
    const char *what = cpucc_describe_address(a->address);
    cpucc_current = checks;
    END_LAUNCH(error, l, l->pc, kind, "%s of %u bytes at %s%s", verb, a->bytes, what,
               kind == PEER_ACCESS ? cpucc_access_hint(a->address) : "");
    return false;
}

static bool permits(struct lane *l, const struct access *a)
{
    if (a->space == CONSTANT || a->space == FOREIGN)
        return refuse(l, a->space == FOREIGN || !a->write ? OUT_OF_BOUNDS : CONSTANT_WRITE, a,
                      cudaErrorIllegalAddress);
    if (a->address & (a->bytes - 1))
        return refuse(l, MISALIGNED, a, cudaErrorMisalignedAddress);
    for (uint32_t i = 0; cpucc_recorded() && i < a->bytes; i += 4)
        if ((a->words[i / 4].allocated & a->mask) != a->mask)
            return refuse(l, OUT_OF_BOUNDS, a, cudaErrorIllegalAddress);
    if (cpucc_device_count > 1 && cpucc_is_out_of_reach(a->address))
        return refuse(l, PEER_ACCESS, a, cudaErrorIllegalAddress);
    return true;
}

const struct cpucc_checker cpucc_bounds = {.name = "bounds", .permits = permits};
