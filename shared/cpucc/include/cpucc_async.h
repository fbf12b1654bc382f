/* Declares the run time's functions for mbarriers and bulk copies (async.c). Pointers to shared
 * memory are generic pointers. */
#ifndef CPUCC_ASYNC_H
#define CPUCC_ASYNC_H
#include "cuda.h"
#include "cuda_pipeline.h"
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

namespace cuda
{
template <size_t _ALIGN>
struct aligned_size_t {
    static constexpr size_t align = _ALIGN;
    size_t value;
    explicit aligned_size_t(size_t n) : value(n) {}
    operator size_t() const { return value; }
};
} // namespace cuda

/* What CUDA's headers take as the alignment of an asynchronous copy, up to 16: T's, 1 for void. */
template <class T, bool = __is_void(T)>
constexpr size_t cpucc_align = alignof(T) > 16 ? 16 : alignof(T);
template <class T>
constexpr size_t cpucc_align<T, true> = 1;
/* What a size guarantees: only an aligned_size_t more than 1. */
template <class _N>
constexpr size_t cpucc_size_align = 1;
template <size_t _ALIGN>
constexpr size_t cpucc_size_align<cuda::aligned_size_t<_ALIGN>> = _ALIGN > 16 ? 16 : _ALIGN;
template <class T, class _N>
constexpr size_t cpucc_copy_align =
    cpucc_align<T> > cpucc_size_align<_N> ? cpucc_align<T> : cpucc_size_align<_N>;

template <size_t _BYTES>
struct __attribute__((aligned(_BYTES))) cpucc_piece {
    char bytes[_BYTES];
};
/* Copies every `size`th of n pieces, from number `rank` on: by cp.async (true) from global to shared memory if
 * a piece has 4 bytes or more, else by loads and stores. */
template <size_t _BYTES>
CPUCC_FN bool cpucc_copy_pieces(void *to, const void *from, size_t n, size_t rank, size_t size)
{
    typedef cpucc_piece<_BYTES> _Piece;
    bool __async = _BYTES >= 4 && __isShared(to) && __isGlobal(from);
    for (size_t __i = rank; __i < n; __i += size)
        if (__async)
            cpucc_cp_async((_Piece *)to + __i, (const _Piece *)from + __i, (int)_BYTES, 0);
        else
            ((_Piece *)to)[__i] = ((const _Piece *)from)[__i];
    return __async;
}
#pragma clang force_cuda_host_device end
#endif
