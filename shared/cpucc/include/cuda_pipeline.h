/* Implements the CUDA C++ Programming Guide's "Pipeline Primitives" with cp.async. */
#ifndef CPUCC_CUDA_PIPELINE_H
#define CPUCC_CUDA_PIPELINE_H
#include "cuda_runtime.h"
#pragma clang force_cuda_host_device begin

extern "C" {
CPUCC_SYNC void cpucc_cp_async(void *__shared, const void *__global, int bytes, int __zeros);
CPUCC_SYNC void cpucc_cp_async_commit(void);
CPUCC_SYNC void cpucc_cp_async_wait(int __pending);
}

typedef unsigned __pipeline_count_t;

/* Copies 4, 8 or 16 bytes (both pointers aligned to that), the last `zfill` of them as zeros. */
CPUCC_FN void __pipeline_memcpy_async(void *__shared, const void *__global, size_t bytes,
                                      size_t __zfill = 0)
{
    cpucc_cp_async(__shared, __global, (int)bytes, (int)__zfill);
}
CPUCC_FN void __pipeline_commit(void) { cpucc_cp_async_commit(); }
CPUCC_FN void __pipeline_wait_prior(size_t __pending) { cpucc_cp_async_wait((int)__pending); }
#pragma clang force_cuda_host_device end
#endif
