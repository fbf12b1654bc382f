/*
 * The steps' kernels with mistakes as learners make them: a kernel for each idea, the mistake a
 * template argument. Without a mistake each is correct.
 */
#include "../order/order.h"
#include <cuda_pipeline.h>

enum { T = 32 }; /* tile */

static dim3 grid_of(int rows, int cols) { return dim3((cols + T - 1) / T, (rows + T - 1) / T); }

enum class Naive { correct, no_bounds, one_bound, off_by_one, not_transposed, swapped_pitch };
template <Naive m>
__global__ void naive(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    int to = m == Naive::not_transposed  ? row * cols + col
             : m == Naive::swapped_pitch ? col * cols + row
                                         : col * rows + row;
    bool inside = row < rows + (m == Naive::off_by_one) && (col < cols || m == Naive::one_bound);
    if (inside || m == Naive::no_bounds) {
        /* FAULT: out_of_bounds (naive_off_by_one, naive_freed) */
        /* FAULT: uninitialised (naive_input_not_filled) */
        float value = in[row * cols + (m == Naive::one_bound ? col % cols : col)];
        /* FAULT: out_of_bounds (naive_no_bounds, naive_one_bound, naive_host_pointer) */
        /* FAULT: race_write_after_write (naive_swapped_pitch) */
        out[to] = value;
    }
}
template <Naive m>
static void run_naive(const float *in, float *out, int rows, int cols)
{
    naive<m><<<grid_of(rows, cols), dim3(T, T)>>>(in, out, rows, cols);
}
CASE(naive_correct) { verify(run_naive<Naive::correct>, 33, 31, true); }
CASE(naive_no_bounds) { verify(run_naive<Naive::no_bounds>, 33, 31, true); }
CASE(naive_one_bound) { verify(run_naive<Naive::one_bound>, 64, 60, true); }
CASE(naive_off_by_one) { verify(run_naive<Naive::off_by_one>, 40, 40, true); }
/* WRONG */
CASE(naive_not_transposed) { verify(run_naive<Naive::not_transposed>, 64, 32, true); }
CASE(naive_swapped_pitch) { verify(run_naive<Naive::swapped_pitch>, 64, 32, true); }
CASE(naive_host_pointer)
{
    run_naive<Naive::correct>((float *)ints(T * T), (float *)malloc(T * T * 4), T, T);
}
CASE(naive_input_not_filled)
{
    float *in;
    cudaMalloc(&in, T * T * 4);
    run_naive<Naive::correct>(in, (float *)ints(T * T), T, T);
}
CASE(naive_freed)
{
    float *in = (float *)ints(T * T);
    cudaFree(in);
    run_naive<Naive::correct>(in, (float *)ints(T * T), T, T);
}

enum class Tile {
    correct,
    no_barrier,
    warp_barrier,
    two_barriers,
    barrier_in_branch,
    early_return,
    small_grid,
    not_transposed,
    one_row_short,
    wrong_bound,
    dynamic_too_small, /* from here on under padding */
    one_pitch,
    one_side, /* from here on under the swizzle */
    other_shift,
    or_for_xor,
    one_bit_too_many
};
/* Where the tile's element (row, col) lies, for its store and for its load. */
template <Tile m>
static __device__ int stored_at(int row, int col)
{
    int i = row * T + col;
    return m == Tile::or_for_xor                                  ? i | row
           : m == Tile::one_bit_too_many                          ? i ^ row << 6
           : m >= Tile::one_side                                  ? i ^ row
           : m == Tile::dynamic_too_small || m == Tile::one_pitch ? i + row
                                                                  : i;
}
template <Tile m>
static __device__ int loaded_at(int row, int col)
{
    int i = row * T + col;
    return m == Tile::one_pitch || m == Tile::one_side || m == Tile::one_bit_too_many ? i
           : m == Tile::other_shift    ? i ^ (row & 15)
           : m == Tile::not_transposed ? col * T + row
                                       : stored_at<m>(row, col);
}
template <Tile m>
__global__ void through_tile(const float *in, float *out, int rows, int cols)
{
    extern __shared__ float dynamic[];
    __shared__ float fixed[m == Tile::one_row_short ? T * (T - 1)
                           : m == Tile::one_pitch   ? T * (T + 1)
                                                    : T * T];
    float *tile = m == Tile::dynamic_too_small ? dynamic : fixed;
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    int out_row = blockIdx.x * T + y, out_col = blockIdx.y * T + x;
    if (m == Tile::early_return && (row >= rows || col >= cols))
        return;
    if (row < rows && col < cols) {
        /* FAULT: out_of_bounds (tile_one_row_short, padding_dynamic_too_small, swizzle_outside) */
        /* FAULT: race_write_after_write (swizzle_or) */
        /* FAULT: race_write_after_read (tile_no_barrier, tile_warp_barrier, tile_barrier_in_branch) */
        tile[stored_at<m>(y, x)] = in[row * cols + col];
        if (m == Tile::barrier_in_branch)
            /* FAULT: barrier_divergence (tile_barrier_in_branch) */
            /* REMARK: early_return (tile_barrier_in_branch): in the last block */
            __syncthreads();
    }
    if (m == Tile::two_barriers && y < T / 2) {
        out[0] = 0;
        __syncthreads();
    } else if (m == Tile::warp_barrier) {
        __syncwarp();
    } else if (m != Tile::no_barrier && m != Tile::barrier_in_branch) {
        /* FAULT: barrier_divergence (tile_two_barriers); REMARK: early_return (tile_early_return) */
        __syncthreads();
    }
    if (out_row < cols && out_col < rows + (m == Tile::wrong_bound)) {
        /* FAULT: race_read_after_write (tile_no_barrier, tile_warp_barrier, tile_barrier_in_branch) */
        /* FAULT: uninitialised (tile_no_barrier, tile_warp_barrier, tile_barrier_in_branch) */
        /* FAULT: uninitialised (tile_wrong_bound, padding_one_pitch) */
        float value = tile[loaded_at<m>(x, y)];
        if (m != Tile::wrong_bound || (value >= 0 && out_col < rows))
            out[out_row * rows + out_col] = value;
    }
}
template <Tile m>
static void run_tile(const float *in, float *out, int rows, int cols)
{
    dim3 grid = m == Tile::small_grid ? dim3(cols / T, rows / T) : grid_of(rows, cols);
    through_tile<m>
        <<<grid, dim3(T, T), m == Tile::dynamic_too_small ? T * T * 4 : 0>>>(in, out, rows, cols);
}
CASE(tile_correct) { verify(run_tile<Tile::correct>, 40, 64, true); }
CASE(tile_no_barrier) { verify(run_tile<Tile::no_barrier>, 64, 64, true); }
CASE(tile_warp_barrier) { verify(run_tile<Tile::warp_barrier>, 64, 64, true); }
CASE(tile_two_barriers) { verify(run_tile<Tile::two_barriers>, 32, 32, true); }
CASE(tile_barrier_in_branch) { verify(run_tile<Tile::barrier_in_branch>, 40, 40, true); }
/* Some of the threads that return had an element to store. */
/* WRONG */
CASE(tile_early_return) { verify(run_tile<Tile::early_return>, 40, 40, true); }
/* WRONG */
CASE(tile_small_grid) { verify(run_tile<Tile::small_grid>, 40, 64, true); }
/* WRONG */
CASE(tile_not_transposed) { verify(run_tile<Tile::not_transposed>, 64, 64, true); }
CASE(tile_one_row_short) { verify(run_tile<Tile::one_row_short>, 64, 64, true); }
CASE(tile_wrong_bound) { verify(run_tile<Tile::wrong_bound>, 40, 64, true); }
CASE(padding_dynamic_too_small) { verify(run_tile<Tile::dynamic_too_small>, 64, 64, true); }
CASE(padding_one_pitch) { verify(run_tile<Tile::one_pitch>, 64, 64, true); }
/* WRONG */
CASE(swizzle_one_side) { verify(run_tile<Tile::one_side>, 64, 64, true); }
/* WRONG */
CASE(swizzle_other_shift) { verify(run_tile<Tile::other_shift>, 64, 64, true); }
CASE(swizzle_or) { verify(run_tile<Tile::or_for_xor>, 64, 64, true); }
CASE(swizzle_outside) { verify(run_tile<Tile::one_bit_too_many>, 64, 64, true); }

/* The next tile is loaded before all threads have stored the last one. */
__global__ void reused(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T][T];
    for (int first = 0; first < cols; first += T) {
        int row = blockIdx.x * T + threadIdx.y;
        /* FAULT: race_write_after_read */
        tile[threadIdx.y][threadIdx.x] = in[row * cols + first + threadIdx.x];
        __syncthreads();
        /* FAULT: race_read_after_write */
        float value = tile[threadIdx.x][threadIdx.y];
        out[(first + threadIdx.y) * rows + blockIdx.x * T + threadIdx.x] = value;
    }
}
static void run_reused(const float *in, float *out, int rows, int cols)
{
    reused<<<rows / T, dim3(T, T)>>>(in, out, rows, cols);
}
CASE(tile_reused) { verify(run_reused, 64, 96, true); }

__global__ void padded_vectors(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T][T + 1];
    int y = threadIdx.x / 8, x = threadIdx.x % 8 * 4;
    *(float4 *)&tile[y][x] = *(const float4 *)&in[y * cols + x]; /* FAULT: misaligned */
    __syncthreads();
    for (int k = 0; k < 4; k++)
        out[y * rows + x + k] = tile[x + k][y];
}
static void run_padded_vectors(const float *in, float *out, int rows, int cols)
{
    padded_vectors<<<1, 256>>>(in, out, rows, cols);
}
CASE(padding_vector) { verify(run_padded_vectors, 32, 32, true); }

enum class Coarsen { correct, barrier_in_loop, no_bound_of_i, one_too_many, wrong_step };
template <Coarsen m>
__global__ void coarsen(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[T][T + 1];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    int out_row = blockIdx.x * T + y, out_col = blockIdx.y * T + x;
    int turns = m == Coarsen::barrier_in_loop ? T - y / 4 * 8 : T + (m == Coarsen::one_too_many);
    for (int i = 0; i < turns; i += m == Coarsen::wrong_step ? 16 : 8) {
        int from = m == Coarsen::one_too_many ? (row + i) % rows : row + i;
        if ((m == Coarsen::no_bound_of_i ? row : from) < rows)
            /* FAULT: out_of_bounds (coarsen_one_too_many, coarsen_bound_without_i) */
            tile[y + i][x] = in[from * cols + col];
        if (m == Coarsen::barrier_in_loop)
            __syncthreads();
    }
    __syncthreads(); /* FAULT: barrier_divergence (coarsen_barrier_in_loop) */
    for (int i = 0; i < T; i += 8)
        if (out_row + i < cols && out_col < rows)
            /* FAULT: uninitialised (coarsen_wrong_step, coarsen_barrier_in_loop) */
            out[(out_row + i) * rows + out_col] = tile[x][y + i];
}
template <Coarsen m>
static void run_coarsen(const float *in, float *out, int rows, int cols)
{
    coarsen<m><<<grid_of(rows, cols), dim3(T, 8)>>>(in, out, rows, cols);
}
CASE(coarsen_correct) { verify(run_coarsen<Coarsen::correct>, 36, 64, true); }
CASE(coarsen_barrier_in_loop) { verify(run_coarsen<Coarsen::barrier_in_loop>, 64, 64, true); }
CASE(coarsen_bound_without_i) { verify(run_coarsen<Coarsen::no_bound_of_i>, 36, 64, true); }
CASE(coarsen_one_too_many) { verify(run_coarsen<Coarsen::one_too_many>, 64, 64, true); }
CASE(coarsen_wrong_step) { verify(run_coarsen<Coarsen::wrong_step>, 64, 64, true); }

__global__ void components(const float *in, float *out)
{
    float4 v = ((const float4 *)in)[threadIdx.x];
    ((float4 *)out)[threadIdx.x] = make_float4(v.x, v.z, v.y, v.w); /* WRONG */
}
CASE(vector_component)
{
    verify([](const float *in, float *out, int, int) { components<<<1, 256>>>(in, out); }, 32, 32,
           false);
}
__global__ void odd_pitch(const float *in, float *out, int rows, int cols)
{
    int row = blockIdx.x, col = threadIdx.x * 4;
    if (col < cols) {
        float4 v = *(const float4 *)&in[row * cols + col]; /* FAULT: misaligned */
        out[col * rows + row] = v.x;
        out[(col + 1) * rows + row] = v.y;
    }
}
static void run_odd_pitch(const float *in, float *out, int rows, int cols)
{
    odd_pitch<<<rows, 16>>>(in, out, rows, cols);
}
CASE(vector_pitch) { verify(run_odd_pitch, 62, 62, true); }
__global__ void hanging_over(const float *in, float *out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (count + 3) / 4)
        ((float4 *)out)[i] = ((const float4 *)in)[i]; /* FAULT: out_of_bounds */
}
static void run_hanging_over(const float *in, float *out, int rows, int cols)
{
    hanging_over<<<4, 256>>>(in, out, rows * cols);
}
CASE(vector_tail) { verify(run_hanging_over, 33, 31, false); }

enum class Async { correct, no_wait, no_commit, waits_for_older, no_barrier };
template <Async m>
__global__ void staged(const float4 *in, float4 *out)
{
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    /* FAULT: race_write_after_read (async_missing_barrier) */
    __pipeline_memcpy_async(&tile[threadIdx.x], in + i, 16);
    if (m != Async::no_commit)
        __pipeline_commit();
    if (m != Async::no_wait)
        __pipeline_wait_prior(m == Async::waits_for_older);
    if (m != Async::no_barrier)
        __syncthreads();
    /* FAULT: copy_not_waited (async_missing_wait, async_not_committed, async_waits_for_older) */
    /* FAULT: race_read_after_write, uninitialised (async_missing_barrier) */
    /* FAULT: race_read_after_write (async_missing_wait, async_not_committed, async_waits_for_older) */
    out[i ^ 255] = tile[threadIdx.x ^ 255];
}
template <Async m>
static void run_staged(const float *in, float *out, int rows, int cols)
{
    staged<m><<<rows * cols / 1024, 256>>>((const float4 *)in, (float4 *)out);
}
CASE(async_correct) { verify(run_staged<Async::correct>, 64, 64, false); }
CASE(async_missing_wait) { verify(run_staged<Async::no_wait>, 64, 64, false); }
CASE(async_not_committed) { verify(run_staged<Async::no_commit>, 64, 64, false); }
CASE(async_waits_for_older) { verify(run_staged<Async::waits_for_older>, 64, 64, false); }
CASE(async_missing_barrier) { verify(run_staged<Async::no_barrier>, 64, 64, false); }
__global__ void from_the_second(const float *in, float *out)
{
    __shared__ float tile[1024];
    /* FAULT: misaligned */
    __pipeline_memcpy_async(&tile[4 * threadIdx.x], in + 4 * threadIdx.x + 1, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = tile[4 * threadIdx.x];
}
CASE(async_misaligned) { from_the_second<<<1, 32>>>((float *)ints(1024), (float *)ints(1024)); }
__global__ void refilled(const float *in, float *out)
{
    __shared__ float stage[256];
    for (int s = 0; s < 4; s++) {
        /* FAULT: race_write_after_read */
        __pipeline_memcpy_async(&stage[threadIdx.x], in + s * 256 + threadIdx.x, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        /* FAULT: race_read_after_write */
        out[s * 256 + (threadIdx.x ^ 255)] = stage[threadIdx.x ^ 255];
    }
}
CASE(async_refilled) { refilled<<<1, 256>>>((float *)ints(1024), (float *)ints(1024)); }
