/*
 * Step 07's copy of tiles by TMA, with a mistake as its template argument; without one it is correct.
 * The harness has the instructions.
 */
#include "../order/order.h"
#include "harness/harness.h"

enum class Tma {
    correct,
    no_init,
    no_init_fence,
    no_init_barrier,
    never_armed,
    too_many_bytes,
    swapped_coordinates,
    box_too_large,
    box_too_wide,
    misaligned_tile,
    no_wait,
    wrong_phase,
    no_fence,
    fence_of_one,
    no_barrier,
    unswizzled_read,
    no_commit,
    tile_overwritten,
    no_wait_read
};
template <Tma m>
__global__ void through_tma(const __grid_constant__ CUtensorMap in,
                            const __grid_constant__ CUtensorMap out)
{
    __shared__ __align__(1024) float space[32 * 32 + 4], plain[32 * 32];
    __shared__ uint64_t full;
    float *tile = space + (m == Tma::misaligned_tile ? 4 : 0);
    int x = blockIdx.x * 32, y = blockIdx.y * 32;
    if (threadIdx.x == 0 && m != Tma::no_init) {
        mbarrier_init(&full, 1);
        if (m != Tma::no_init_fence)
            fence_mbarrier_init();
    }
    if (m != Tma::no_init_barrier)
        __syncthreads();
    if (threadIdx.x == 0) {
        if (m != Tma::never_armed)
            /* FAULT: mbarrier_misuse (tma_no_init) */
            mbarrier_arrive_expect(&full, 4096 + (m == Tma::too_many_bytes ? 16 : 0));
        /* FAULT: proxy_fence (tma_missing_init_fence) */
        /* FAULT: out_of_bounds (tma_box_too_large) */
        /* FAULT: copy_refused (tma_misaligned_tile) */
        /* FAULT: copy_not_waited (tma_missing_wait, tma_wrong_phase) */
        tensor_load(tile, &in, m == Tma::swapped_coordinates ? y : x,
                    m == Tma::swapped_coordinates ? x : y, &full);
    }
    if (m != Tma::no_wait)
        /* FAULT: mbarrier_misuse (tma_missing_init_barrier) */
        /* FAULT: endless_wait (tma_never_armed, tma_too_many_bytes) */
        mbarrier_wait(&full, m == Tma::wrong_phase);
    for (int i = threadIdx.x; i < 32 * 32; i += 128)
        if (m == Tma::unswizzled_read)
            plain[i] = tile[i ^ 4];
        else
            /* FAULT: copy_not_waited (tma_missing_wait, tma_wrong_phase) */
            /* FAULT: race_write_after_read (tma_missing_barrier) */
            tile[i] = tile[i] + 0.0f;
    if (m != Tma::no_fence && (m != Tma::fence_of_one || threadIdx.x == 0))
        fence_proxy_async();
    if (m != Tma::no_barrier)
        __syncthreads();
    if (threadIdx.x == 0) {
        /* FAULT: proxy_fence (tma_missing_fence, tma_fence_in_one_thread) */
        /* FAULT: race_read_after_write (tma_missing_barrier) */
        /* FAULT: copy_not_waited (tma_not_committed, tma_missing_wait_read) */
        /* FAULT: copy_not_waited (tma_missing_wait, tma_wrong_phase) */
        tensor_store(&out, x, y, m == Tma::unswizzled_read ? plain : tile);
        if (m != Tma::no_commit)
            bulk_commit();
        if (m == Tma::tile_overwritten)
            tile[5] = 0; /* FAULT: copy_not_waited (tma_tile_overwritten) */
        if (m != Tma::no_wait_read)
            bulk_wait_read<0>();
    }
}
template <Tma m>
static void run_tma(const float *in, float *out, int rows, int cols)
{
    bool is_swizzled = m == Tma::unswizzled_read || m == Tma::box_too_wide;
    BoxSwizzle swizzle = is_swizzled ? SWIZZLE_128B : SWIZZLE_NONE;
    int high = m == Tma::box_too_large || m == Tma::box_too_wide ? 64 : 32;
    int wide = m == Tma::box_too_wide ? 64 : 32;
    CUtensorMap from = tensor_map(in, 4, rows, cols, high, wide, swizzle);
    CUtensorMap to = tensor_map(out, 4, rows, cols, high, wide, swizzle);
    through_tma<m><<<dim3(cols / 32, rows / 32), 128>>>(from, to);
}
CASE(tma_correct) { verify(run_tma<Tma::correct>, 64, 64, false); }
CASE(tma_no_init) { verify(run_tma<Tma::no_init>, 64, 64, false); }
CASE(tma_missing_init_fence) { verify(run_tma<Tma::no_init_fence>, 64, 64, false); }
CASE(tma_missing_init_barrier) { verify(run_tma<Tma::no_init_barrier>, 64, 64, false); }
CASE(tma_never_armed) { verify(run_tma<Tma::never_armed>, 64, 64, false); }
CASE(tma_too_many_bytes) { verify(run_tma<Tma::too_many_bytes>, 64, 64, false); }
/* WRONG */
CASE(tma_swapped_coordinates) { verify(run_tma<Tma::swapped_coordinates>, 64, 64, false); }
CASE(tma_box_too_large) { verify(run_tma<Tma::box_too_large>, 64, 64, false); }
/* REFUSED: it is wider than the swizzle spans */
CASE(tma_box_too_wide) { verify(run_tma<Tma::box_too_wide>, 64, 64, false); }
/* REFUSED: it is no multiple of 16 bytes */
CASE(tma_pitch) { verify(run_tma<Tma::correct>, 64, 66, false); }
CASE(tma_misaligned_tile) { verify(run_tma<Tma::misaligned_tile>, 64, 64, false); }
CASE(tma_missing_wait) { verify(run_tma<Tma::no_wait>, 64, 64, false); }
/* The phase bit of the phase before: that wait is over at once. */
CASE(tma_wrong_phase) { verify(run_tma<Tma::wrong_phase>, 64, 64, false); }
CASE(tma_missing_fence) { verify(run_tma<Tma::no_fence>, 64, 64, false); }
CASE(tma_fence_in_one_thread) { verify(run_tma<Tma::fence_of_one>, 64, 64, false); }
CASE(tma_missing_barrier) { verify(run_tma<Tma::no_barrier>, 64, 64, false); }
/* WRONG */
CASE(tma_unswizzled_read) { verify(run_tma<Tma::unswizzled_read>, 64, 64, false); }
CASE(tma_not_committed) { verify(run_tma<Tma::no_commit>, 64, 64, false); }
CASE(tma_tile_overwritten) { verify(run_tma<Tma::tile_overwritten>, 64, 64, false); }
CASE(tma_missing_wait_read) { verify(run_tma<Tma::no_wait_read>, 64, 64, false); }

template <int bytes, int first>
__global__ void bulk(const float *in)
{
    __shared__ __align__(128) float tile[1024];
    __shared__ uint64_t full;
    mbarrier_init(&full, 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect(&full, bytes);
    /* FAULT: copy_refused (bulk_odd_size); FAULT: out_of_bounds (bulk_past_the_end) */
    bulk_load(tile, in + first, bytes, &full);
    mbarrier_wait(&full, 0);
}
CASE(bulk_odd_size) { bulk<4092, 0><<<1, 1>>>((float *)ints(1024)); }
CASE(bulk_past_the_end) { bulk<4096, 64><<<1, 1>>>((float *)ints(1024)); }
