/* Declares the run time's functions for mbarriers and bulk copies (async.c). Pointers to shared
 * memory are generic pointers. */
#ifndef CPUCC_ASYNC_H
#define CPUCC_ASYNC_H
#include "cuda.h"
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device begin

extern "C" {
CPUCC_SYNC void cpucc_mbarrier_init(void *barrier, int __arrivals);
CPUCC_SYNC void cpucc_mbarrier_end(void *barrier);
/* Arrives `arrivals` times and expects `bytes` more; returns the number of the current phase. */
CPUCC_SYNC uint64_t cpucc_mbarrier_arrive(void *barrier, int __arrivals, int bytes);
CPUCC_SYNC void cpucc_mbarrier_expect(void *barrier, int bytes);
CPUCC_SYNC void cpucc_mbarrier_shown(void *barrier);
void cpucc_library_may_differ(void);
CPUCC_SYNC void cpucc_mbarrier_drop(void *barrier);
CPUCC_SYNC void cpucc_mbarrier_wait(void *barrier, int __parity);
CPUCC_SYNC void cpucc_mbarrier_wait_phase(void *barrier, uint64_t __phase);
/* Waits for the phase; returns 0 if it is incomplete and no other thread of the block can run. */
CPUCC_SYNC int cpucc_mbarrier_try(void *barrier, uint64_t __phase, int __by_parity);
CPUCC_SYNC void cpucc_cp_async_arrive(void *barrier, int __more);
CPUCC_SYNC void cpucc_fence_mbarrier_init(void);
CPUCC_SYNC void cpucc_fence_proxy_async(void);
CPUCC_SYNC void cpucc_bulk_load(void *__shared, const void *__global, int bytes, void *barrier);
CPUCC_SYNC void cpucc_bulk_store(void *__global, const void *__shared, int bytes);
CPUCC_SYNC void cpucc_tensor_load(void *__shared, const void *__map, int rank, int __x0, int __x1,
                                  int x2, int __x3, int __x4, void *barrier);
CPUCC_SYNC void cpucc_tensor_store(const void *__map, int rank, int __x0, int __x1, int x2,
                                   int __x3, int __x4, const void *__shared);
CPUCC_SYNC void cpucc_bulk_commit(void);
CPUCC_SYNC void cpucc_bulk_wait(int __pending, int __read_only);
}
#pragma clang force_cuda_host_device end
#endif
