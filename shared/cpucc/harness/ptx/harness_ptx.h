/*
 * The harness's ptx.h for the CPU: the same functions, as calls of cpucc's runtime (async.c). What
 * each does is said in ptx.h, which includes this file where it finds one; cpucc also checks that
 * it is done right.
 */
#ifndef HARNESS_PTX_H
#define HARNESS_PTX_H

#include <cuda.h>
#include <cuda_runtime.h>
#include <cpucc_async.h>

CPUCC_FN uint32_t shared_address(const void *pointer) { return cpucc_shared_offset(pointer); }

/* L2 is not modelled, so a policy changes nothing. */
CPUCC_FN uint64_t l2_evict_last(void) { return 0; }
CPUCC_FN float4 load_with_policy(const float4 *from, uint64_t) { return *from; }

CPUCC_FN void mbarrier_init(uint64_t *barrier, int arrivals)
{
    cpucc_mbarrier_init(barrier, arrivals);
}
CPUCC_FN void fence_mbarrier_init(void) { cpucc_fence_mbarrier_init(); }
CPUCC_FN void mbarrier_arrive_expect(uint64_t *barrier, int bytes)
{
    cpucc_mbarrier_arrive(barrier, 1, bytes);
}
CPUCC_FN void mbarrier_wait(uint64_t *barrier, int parity)
{
    cpucc_mbarrier_wait(barrier, parity & 1);
}
CPUCC_FN void fence_proxy_async(void) { cpucc_fence_proxy_async(); }

CPUCC_FN void bulk_load_with_policy(void *shared, const void *global, int bytes,
                                    uint64_t *barrier, uint64_t policy)
{
    (void)policy;
    cpucc_bulk_load(shared, global, bytes, barrier);
}

CPUCC_FN void bulk_load(void *shared, const void *global, int bytes, uint64_t *barrier)
{
    cpucc_bulk_load(shared, global, bytes, barrier);
}
CPUCC_FN void bulk_store(void *global, const void *shared, int bytes)
{
    cpucc_bulk_store(global, shared, bytes);
}
CPUCC_FN void tensor_load(void *shared, const CUtensorMap *map, int x, int y, uint64_t *barrier)
{
    cpucc_tensor_load(shared, map, 2, x, y, 0, 0, 0, barrier);
}
CPUCC_FN void tensor_load_with_policy(void *shared, const CUtensorMap *map, int x, int y,
                                      uint64_t *barrier, uint64_t)
{
    tensor_load(shared, map, x, y, barrier);
}
CPUCC_FN void tensor_store(const CUtensorMap *map, int x, int y, const void *shared)
{
    cpucc_tensor_store(map, 2, x, y, 0, 0, 0, shared);
}
CPUCC_FN void bulk_commit(void) { cpucc_bulk_commit(); }
template <int PENDING> CPUCC_FN void bulk_wait_read(void) { cpucc_bulk_wait(PENDING, 1); }

#endif
