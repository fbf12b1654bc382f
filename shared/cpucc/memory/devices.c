/*
 * Several devices (CPUCC_DEVICES): which one owns an address, which ones may use its memory, and each
 * device's copy of __device__ and __constant__ variables.
 */
#include <stdlib.h>
#include <string.h>
#include "memory.h"

static unsigned enabled[MAX_DEVICES]; /* bit e of enabled[d]: device d may use the memory of e */

/* Reads CPUCC_DEVICES; ends the program before it begins if the value is wrong. */
__attribute__((constructor)) static void read_count(void)
{
    cpucc_device_count = (int)cpucc_number_from("CPUCC_DEVICES", 1, MAX_DEVICES);
}

bool cpucc_peer_enabled(int device, int peer) { return enabled[device] >> peer & 1; }

void cpucc_enable_peer(int device, int peer, bool on)
{
    enabled[device] = (enabled[device] & ~(1u << peer)) | (unsigned)on << peer;
}

/* Returns the allocation of device memory in whose 65536 bytes the address lies, or NULL. */
static const struct allocation *device_allocation(uintptr_t address)
{
    size_t offset = address - (uintptr_t)cpucc_heap;
    if (offset >= (size_t)(cpucc_heap_host - cpucc_heap))
        return NULL;
    uint32_t number = cpucc_allocation_of_chunk[offset >> 16];
    return number ? &cpucc_allocations[number - 1] : NULL;
}

int cpucc_owner(uintptr_t address)
{
    const struct allocation *x = device_allocation(address);
    return x ? x->device : -1;
}

void cpucc_set_pool(void *allocation, const unsigned *mask)
{
    size_t offset = (size_t)((char *)allocation - cpucc_heap);
    cpucc_allocations[cpucc_allocation_of_chunk[offset >> 16] - 1].pool_access = mask;
}

bool cpucc_is_out_of_reach(uintptr_t address)
{
    const struct allocation *x = device_allocation(address);
    int device = cpucc_active_device;
    if (!x || x->device == device)
        return false;
    return x->pool_access ? !(*x->pool_access >> device & 1)
                          : !cpucc_peer_enabled(device, x->device);
}

const char *cpucc_access_hint(uintptr_t address)
{
    static char text[200];
    int owner = cpucc_owner(address), device = cpucc_active_device;
    snprintf(
        text, sizeof text,
        ", memory of device %d, which device %d may not use; enable it by cudaSetDevice(%d) and "
        "cudaDeviceEnablePeerAccess(%d, 0)",
        owner, device, device, owner);
    return text;
}

/* ---- variables: those of one device are present, where the program's code uses them ---- */

static char *kept[MAX_DEVICES]; /* the variables' values on devices that are not present */
static int present;

/* Copies the variables to what is kept of a device, or back. */
static void copy_variables(int device, bool back)
{
    size_t bytes = (size_t)(__stop_cpucc_device - __start_cpucc_device),
           constant = (size_t)(__stop_cpucc_constant - __start_cpucc_constant);
    char *to = kept[device];
    if (!to)
        to = kept[device] = cpucc_nonnull(malloc(bytes + constant + 1));
    memcpy(back ? __start_cpucc_device : to, back ? to : __start_cpucc_device, bytes);
    to += bytes;
    memcpy(back ? __start_cpucc_constant : to, back ? to : __start_cpucc_constant, constant);
}

void cpucc_devices_start(void)
{
    for (int d = 0; cpucc_device_count > 1 && d < cpucc_device_count; d++)
        copy_variables(d, false);
}

void cpucc_use_variables(int device)
{
    if (device == present)
        return;
    copy_variables(present, false);
    copy_variables(device, true);
    cpucc_use_records_of_variables(device);
    present = device;
}
