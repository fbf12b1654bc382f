/*
 * One function per PTX instruction that CUDA C does not offer: loads with an L2 policy (PTX ISA,
 * sections "createpolicy" and "ld"); mbarriers, bulk copies and TMA tensor copies (sections "mbarrier",
 * "cp.async.bulk", "cp.async.bulk.tensor"), which need compute capability 9.0.
 *
 * For older devices the functions that need 9.0 compile to nothing, so variants that use them must be
 * skipped. Pointers to shared memory are ordinary generic pointers. A wrong address or size makes the
 * launch fail.
 */
#ifndef PTX_H
#define PTX_H

#include <cuda.h>
#include <stdint.h>
#if CUDA_VERSION < 12000
typedef struct { /* stands in where the toolkit has no tensor maps, so that programs build */
    char opaque[128];
} CUtensorMap;
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
#define PTX_90(...) asm volatile(__VA_ARGS__)
#else
#define PTX_90(...) (void)0
#endif

/* The number of blocks per SM for __launch_bounds__: `wanted`, or what an SM of this architecture holds
 * (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"). */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750
#define SM_THREADS 1024
#elif defined(__CUDA_ARCH__) && __CUDA_ARCH__ > 800 && __CUDA_ARCH__ < 900
#define SM_THREADS 1536
#else
#define SM_THREADS 2048
#endif
#define SM_BLOCKS(threads, wanted)                                                                 \
    ((wanted) * (threads) > SM_THREADS ? SM_THREADS / (threads) : (wanted))

/* Converts a generic pointer to shared memory to the 32-bit address that the instructions below
 * take. */
static __device__ __forceinline__ uint32_t shared_address(const void *pointer)
{
    return (uint32_t)__cvta_generic_to_shared(pointer);
}

/* Returns the L2 policy evict_last for the loads below: L2 keeps their lines longer than lines
 * without a policy (PTX ISA, "createpolicy"). Below compute capability 8.0 returns 0, no policy. */
static __device__ __forceinline__ uint64_t l2_evict_last(void)
{
    uint64_t policy = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
#endif
    return policy;
}

/* Load 16 bytes (aligned to 16) of global memory under an L2 policy. */
static __device__ __forceinline__ float4 load_with_policy(const float4 *from, uint64_t policy)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    float4 v;
    asm volatile("ld.global.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(from), "l"(policy));
    return v;
#else
    (void)policy;
    return *from;
#endif
}

/* Initialise an mbarrier (8 bytes in shared memory, 8-byte aligned). Each phase completes after
 * `arrivals` arrivals and all expected bytes. One thread calls this, then fence_mbarrier_init();
 * then the block synchronises. */
static __device__ __forceinline__ void mbarrier_init(uint64_t *barrier, int arrivals)
{
    (void)barrier, (void)arrivals;
    PTX_90("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals)
           : "memory");
}

/* Make initialised mbarriers visible to the async proxy, which the copies signal from. */
static __device__ __forceinline__ void fence_mbarrier_init(void)
{
    PTX_90("fence.mbarrier_init.release.cluster;" ::: "memory");
}

/* Arrive at the mbarrier, and make its current phase also wait for `bytes` bytes of asynchronous
 * copies. */
static __device__ __forceinline__ void mbarrier_arrive_expect(uint64_t *barrier, int bytes)
{
    (void)barrier, (void)bytes;
    PTX_90("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
           "r"(bytes)
           : "memory");
}

/* Arrive at the mbarrier, once. */
static __device__ __forceinline__ void mbarrier_arrive(uint64_t *barrier)
{
    (void)barrier;
    PTX_90("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

/* Wait until `threads` threads (a multiple of 32) have reached barrier `number` (0 to 15) of the
 * block; __syncthreads() uses number 0. */
static __device__ __forceinline__ void barrier_sync(int number, int threads)
{
    (void)number, (void)threads;
    PTX_90("bar.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}

/* Wait until the phase of the given parity (0 for the first, then 1, 0, ...) has completed. */
static __device__ __forceinline__ void mbarrier_wait(uint64_t *barrier, int parity)
{
    (void)barrier, (void)parity;
    PTX_90("{\n\t"
           ".reg .pred done;\n"
           "again:\n\t"
           "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
           "@!done bra again;\n\t"
           "}" ::"r"(shared_address(barrier)),
           "r"(parity)
           : "memory");
}

/* Order this thread's earlier accesses to shared memory before the async proxy's later accesses. Every
 * thread that wrote the tile calls this before the barrier after which one thread stores the tile. */
static __device__ __forceinline__ void fence_proxy_async(void)
{
    PTX_90("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Start copying `bytes` bytes (a multiple of 16; both addresses aligned to 16) from global to
 * shared memory. The bytes count towards the mbarrier's current phase. */
static __device__ __forceinline__ void bulk_load(void *shared, const void *global, int bytes,
                                                 uint64_t *barrier)
{
    (void)shared, (void)global, (void)bytes, (void)barrier;
    PTX_90(
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::
            "r"(shared_address(shared)),
        "l"(global), "r"(bytes), "r"(shared_address(barrier))
        : "memory");
}

/* Start a bulk_load() under an L2 policy. */
static __device__ __forceinline__ void bulk_load_with_policy(void *shared, const void *global,
                                                             int bytes, uint64_t *barrier,
                                                             uint64_t policy)
{
    (void)shared, (void)global, (void)bytes, (void)barrier, (void)policy;
    PTX_90("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint "
           "[%0], [%1], %2, [%3], %4;" ::"r"(shared_address(shared)),
           "l"(global), "r"(bytes), "r"(shared_address(barrier)), "l"(policy)
           : "memory");
}

/* Start copying `bytes` bytes (a multiple of 16; both addresses aligned to 16) from shared to global
 * memory, in the thread's current bulk group. */
static __device__ __forceinline__ void bulk_store(void *global, const void *shared, int bytes)
{
    (void)global, (void)shared, (void)bytes;
    PTX_90("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global),
           "r"(shared_address(shared)), "r"(bytes)
           : "memory");
}

/* Start loading the box whose first element is (x, y), where x is the contiguous coordinate, through
 * a 2-D tensor map into shared memory (aligned to 128 bytes; to 1024 with the 128-byte swizzle).
 * Elements outside the tensor arrive as zeros and count towards the expected bytes. */
static __device__ __forceinline__ void tensor_load(void *shared, const CUtensorMap *map, int x,
                                                   int y, uint64_t *barrier)
{
    (void)shared, (void)map, (void)x, (void)y, (void)barrier;
    PTX_90("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
           "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(shared)),
           "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier))
           : "memory");
}

/* Start a tensor_load() under an L2 policy. */
static __device__ __forceinline__ void tensor_load_with_policy(void *shared, const CUtensorMap *map,
                                                               int x, int y, uint64_t *barrier,
                                                               uint64_t policy)
{
    (void)shared, (void)map, (void)x, (void)y, (void)barrier, (void)policy;
    PTX_90("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
           ".L2::cache_hint [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(shared_address(shared)),
           "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier)), "l"(policy)
           : "memory");
}

/* Start storing the box at (x, y) from shared memory, in the thread's current bulk group. Elements
 * outside the tensor are not written. */
static __device__ __forceinline__ void tensor_store(const CUtensorMap *map, int x, int y,
                                                    const void *shared)
{
    (void)map, (void)x, (void)y, (void)shared;
    PTX_90("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
               map),
           "r"(x), "r"(y), "r"(shared_address(shared))
           : "memory");
}

/* Close the thread's current bulk group: all its bulk and tensor stores since the last call. */
static __device__ __forceinline__ void bulk_commit(void)
{
    PTX_90("cp.async.bulk.commit_group;" ::: "memory");
}

/* Wait until at most PENDING of the thread's bulk groups still have to read shared memory; the shared
 * memory of all older groups can then be overwritten. */
template <int PENDING>
static __device__ __forceinline__ void bulk_wait_read(void)
{
    PTX_90("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory");
}

#endif
