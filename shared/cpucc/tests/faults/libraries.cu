/* Faults as authors of libraries make them: warps, copies, order between blocks, host. */
#include "../order/order.h"
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_fp16.h>
#include <mma.h>
#include <new>

namespace prim
{
template <class T>
__device__ __forceinline__ T warp_sum(T v, unsigned mask = ~0u)
{
#pragma unroll
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(mask, v, d);
    return v;
}
} // namespace prim

__global__ void sum_of_some(const float *in, float *out, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        float v = in[i];
        for (int d = 16; d; d /= 2)
            v += __shfl_down_sync(~0u, v, d); /* FAULT: lane_mask */
        if (i == 0)
            *out = v;
    }
}
CASE(sum_of_some_lanes) { sum_of_some<<<1, 32>>>((float *)ints(20), (float *)ints(1), 20); }

__global__ void vote(int *out)
{
    unsigned even = 0x55555555;
    out[threadIdx.x] = __ballot_sync(even, threadIdx.x > 4); /* FAULT: lane_mask, endless_wait */
}
CASE(vote_without_the_caller) { vote<<<1, 32>>>(ints(32)); }

__global__ void half_a_warp(unsigned *out)
{
    __shared__ uint4 rows[8];
    rows[threadIdx.x % 8] = make_uint4(0, 1, 2, 3);
    unsigned r, at = (unsigned)__cvta_generic_to_shared(&rows[threadIdx.x % 8]);
    __syncthreads();
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" /* FAULT: lane_mask */
                 : "=r"(r)
                 : "r"(at));
    out[threadIdx.x] = r;
}
CASE(matrix_of_half_a_warp) { half_a_warp<<<1, 16>>>((unsigned *)ints(16)); }

__global__ void one_lane(const half *a, float *c)
{
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, half, nvcuda::wmma::row_major> x;
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, half, nvcuda::wmma::row_major> y;
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> z;
    nvcuda::wmma::fill_fragment(z, 0.0f);
    nvcuda::wmma::load_matrix_sync(x, a, 16);
    nvcuda::wmma::load_matrix_sync(y, a, 16);
    nvcuda::wmma::mma_sync(z, x, y, z); /* FAULT: lane_mask */
    c[threadIdx.x] = z.x[0];
}
CASE(product_of_one_lane) { one_lane<<<1, 1>>>((const half *)ints(128), (float *)ints(1)); }

__global__ void match(const int *key, int *out)
{
    int i = threadIdx.x;
    if (i != 7)
        out[i] = __match_any_sync(0xffffffff, key[i]); /* FAULT: lane_mask */
    __syncwarp();
    out[i] += key[31 - i];
}
CASE(match_in_a_branch) { match<<<1, 32>>>(ints(32), ints(32)); }

__global__ void reduce_add(const unsigned *key, unsigned *out)
{
    unsigned i = threadIdx.x;
    if (i & 1)
        out[i] = __reduce_add_sync(0xffffffff, key[i]); /* FAULT: lane_mask */
}
CASE(reduce_in_a_branch) { reduce_add<<<1, 32>>>((unsigned *)ints(32), (unsigned *)ints(32)); }

__global__ void two_phases(int *a)
{
    cg::grid_group grid = cg::this_grid();
    a[grid.thread_rank()] = 1;
    grid.sync(); /* FAULT: grid_barrier */
    a[grid.size() - 1 - grid.thread_rank()] += 1;
}
CASE(grid_sync_of_a_plain_launch) { two_phases<<<2, 32>>>(ints(64)); }

__global__ void named(int *a)
{
    __shared__ int s[96];
    s[threadIdx.x] = a[threadIdx.x];
    asm volatile("bar.sync 2, 128;" ::: "memory"); /* FAULT: barrier_divergence */
    a[threadIdx.x] = s[95 - threadIdx.x];
}
CASE(count_of_a_named_barrier) { named<<<1, 96>>>(ints(96)); }

__global__ void single_stage(const float *in, float *out)
{
    __shared__ float buf[2][64];
    auto pipe = cuda::make_pipeline();
    for (int s = 0; s < 2; s++) {
        pipe.producer_acquire();
        cuda::memcpy_async(&buf[s][threadIdx.x], in + s * 64 + threadIdx.x, sizeof(float), pipe);
        pipe.producer_commit();
    }
    float sum = 0;
    for (int s = 0; s < 4; s++) {
        cuda::pipeline_consumer_wait_prior<1>(pipe);
        __syncthreads();
        sum += buf[s & 1][63 - threadIdx.x]; /* FAULT: copy_not_waited, race_read_after_write */
        pipe.consumer_release();
        if (s + 2 < 4) {
            pipe.producer_acquire();
            /* FAULT: race_write_after_read */
            cuda::memcpy_async(&buf[s & 1][threadIdx.x], in + (s + 2) * 64 + threadIdx.x, 4, pipe);
            pipe.producer_commit();
        }
    }
    out[threadIdx.x] = sum;
}
CASE(single_buffer_pipeline) { single_stage<<<1, 64>>>((float *)ints(256), (float *)ints(64)); }

__global__ void group_copy(const int *in, int *out)
{
    __shared__ int s[128];
    cg::thread_block block = cg::this_thread_block();
    cg::memcpy_async(block, s, in, sizeof(int) * 128);
    block.sync();
    /* FAULT: copy_not_waited, race_read_after_write */
    out[block.thread_rank()] = s[127 - block.thread_rank()];
}
CASE(group_copy_not_waited) { group_copy<<<1, 128>>>(ints(128), ints(128)); }

__global__ void odd_piece(const int *in, int *out)
{
    __shared__ int s[64];
    unsigned to = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x * 4 + 1]);
    const int *from = in + threadIdx.x * 4;
    /* FAULT: misaligned */
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
    asm volatile("cp.async.wait_all;");
    out[threadIdx.x] = s[threadIdx.x * 4 + 1];
}
CASE(async_of_three_words) { odd_piece<<<1, 8>>>(ints(64), ints(64)); }

__global__ void one_too_few(const int *in, int *out)
{
    __shared__ int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x / 2);
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x]; /* FAULT: race_write_after_read */
    bar.arrive_and_wait();
    out[threadIdx.x] = s[63 - threadIdx.x]; /* FAULT: uninitialised */
}
CASE(mbarrier_counts_lanes) { one_too_few<<<1, 64>>>(ints(64), ints(64)); }

__global__ void __cluster_dims__(2) neighbour(int *out)
{
    __shared__ int v;
    cg::cluster_group cluster = cg::this_cluster();
    v = blockIdx.x;
    cluster.sync();
    out[blockIdx.x] =
        *cluster.map_shared_rank(&v, cluster.block_rank() + 1); /* FAULT: out_of_bounds */
    cluster.sync();
}
CASE(cluster_rank_too_large) { neighbour<<<4, 1>>>(ints(4)); }

struct Ring {
    int slot[8];
    unsigned head;
};
__global__ void ring(Ring *r, int *out)
{
    if (blockIdx.x == 0) {
        for (unsigned i = 0; i < 8; i++) {
            unsigned at = atomicAdd(&r->head, 1);
            r->slot[at] = i + 1;
        }
    } else {
        while (atomicAdd(&r->head, 0) < 8)
            ;
        __threadfence();
        for (int i = 0; i < 8; i++)
            out[i] = r->slot[i]; /* FAULT: race_read_after_write */
    }
}
CASE(ring_published_first) { ring<<<2, 1>>>((Ring *)ints(9), ints(8)); }

__device__ unsigned arrived_;
__device__ void grid_barrier(unsigned goal)
{
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&arrived_, 1);
        while (*(volatile unsigned *)&arrived_ < goal)
            ;
        __threadfence();
    }
    __syncthreads();
}
__global__ void rotate_all(int *a, int *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = i;
    grid_barrier(gridDim.x);
    b[i] = a[(i + blockDim.x) % n]; /* FAULT: race_read_after_write */
}
CASE(grid_barrier_one_sync) { rotate_all<<<4, 64>>>(ints(256), ints(256), 256); }

__global__ void pairs(__half *h)
{
    ((__half2 *)(h + 1))[threadIdx.x] = __half2(); /* FAULT: misaligned */
}
CASE(half_pairs_at_odd_places) { pairs<<<1, 4>>>((__half *)ints(8)); }

typedef float (*Op)(float);
__global__ void apply(Op op, float *x) { *x = op(*x); } /* FAULT: out_of_bounds */
static float twice_host(float v) { return 2 * v; }
CASE(function_of_the_host) { apply<<<1, 1>>>(twice_host, (float *)ints(1)); }

struct Node {
    Node *next;
    int v;
};
__global__ void list(int *out)
{
    Node *head = nullptr;
    for (int i = 0; i < 4; i++)
        head = new Node{head, i};
    int s = 0;
    for (Node *n = head; n; n = n->next) { /* FAULT: out_of_bounds */
        s += n->v;
        delete n;
    }
    *out = s;
}
CASE(used_after_delete) { list<<<1, 1>>>(ints(1)); }

__global__ void copies(char *out)
{
    char local[16];
    for (int i = 0; i < 16; i++)
        local[i] = i;
    memcpy(out + threadIdx.x * 16, local, 16); /* FAULT: out_of_bounds */
}
CASE(device_memcpy_too_long) { copies<<<1, 4>>>((char *)ints(15)); }

__global__ void touch(int *a) { a[threadIdx.x] = 1; } /* FAULT: out_of_bounds */
CASE(async_allocation_freed)
{
    cudaStream_t s;
    int *a;
    cudaStreamCreate(&s);
    cudaMallocAsync(&a, 128, s);
    cudaFreeAsync(a, s);
    touch<<<1, 32, 0, s>>>(a);
}

__global__ void large_heap(int *out)
{
    int *p = (int *)malloc((size_t)1 << 40);
    p[threadIdx.x] = 1; /* FAULT: out_of_bounds */
    out[0] = p[0];
}
CASE(large_allocation_on_the_device) { large_heap<<<1, 1>>>(ints(1)); }

__global__ void active(const int *in, int *out)
{
    int i = threadIdx.x, v = in[i];
    if (i % 3) {
        v = __shfl_xor_sync(__activemask(), v, 1); /* FAULT: lane_mask */
    }
    out[i] = v;
}
CASE(active_mask_assumed) { active<<<1, 32>>>(ints(32), ints(32)); }

__global__ void warp_sum(const int *in, int *out)
{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    if (t < 32) {
        s[t] += s[t + 32];
        s[t] += s[t + 16];
        s[t] += s[t + 8];
        s[t] += s[t + 4]; /* FAULT: race_write_after_read */
    }
    if (t == 0)
        *out = s[0];
}
CASE(warp_sum_through_shared_memory) { warp_sum<<<1, 64>>>(ints(64), ints(1)); }

__global__ void ping_pong(float *a, int steps)
{
    __shared__ float buf[2][64];
    int t = threadIdx.x, cur = 0;
    buf[0][t] = a[t];
    __syncthreads();
    for (int s = 0; s < steps; s++) {
        /* FAULT: race_read_after_write, race_write_after_read, uninitialised */
        buf[1 - cur][t] = 0.5f * (buf[cur][(t + 1) % 64] +
                                  /* FAULT: race_read_after_write, uninitialised */
                                  buf[cur][(t + 63) % 64]);
        cur = 1 - cur;
    }
    a[t] = buf[cur][t];
}
CASE(ping_pong_without_swap_barrier) { ping_pong<<<1, 64>>>((float *)ints(64), 3); }

__global__ void prefix_grid(int *a, int *sums)
{
    __shared__ int total;
    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    atomicAdd(&total, a[blockIdx.x * 32 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
    __syncthreads();
    int before = 0;
    for (int b = 0; b < blockIdx.x; b++)
        before += sums[b]; /* FAULT: race_read_after_write */
    a[blockIdx.x * 32 + threadIdx.x] = before;
}
CASE(prefix_of_the_grid) { prefix_grid<<<4, 32>>>(ints(128), ints(4)); }

__global__ void softmax(float *x, int n)
{
    __shared__ float m;
    if (threadIdx.x == 0) {
        float best = x[0];
        for (int i = 1; i < n; i++)
            best = fmaxf(best, x[i]);
        m = best;
    }
    __syncthreads();
    /* FAULT: race_read_after_write, race_write_after_read */
    x[threadIdx.x] = expf(x[threadIdx.x] - m);
    if (threadIdx.x == 0) {
        float s = 0;
        for (int i = 0; i < n; i++)
            s += x[i]; /* FAULT: race_read_after_write */
        m = s;         /* FAULT: race_write_after_read */
    }
    __syncthreads();
    x[threadIdx.x] /= m;
}
CASE(softmax_row_maximum_unsynced) { softmax<<<1, 64>>>((float *)ints(64), 64); }

struct Pair {
    int key, value;
};
__global__ void half_pair(const int *in, int *out)
{
    Pair p;
    p.key = in[0];
    if (in[1])
        p.value = 3;
    out[p.key] = p.value; /* FAULT: uninitialised */
}
CASE(struct_local_half_filled) { half_pair<<<1, 1>>>(ints(4), ints(1)); }

__global__ void count_hits(const int *in, int *hits)
{
    __shared__ int n;
    if (in[threadIdx.x] == 0)
        atomicAdd(&n, 1); /* FAULT: uninitialised */
    __syncthreads();
    if (threadIdx.x == 0)
        hits[blockIdx.x] = n;
}
CASE(counter_never_cleared) { count_hits<<<1, 32>>>(ints(32), ints(1)); }

__global__ void clear_late(const int *in, int *hits)
{
    __shared__ int n;
    if (threadIdx.x == 0)
        n = 0;
    if (in[threadIdx.x] == 0)
        atomicAdd(&n, 1); /* FAULT: race_write_after_write */
    __syncthreads();
    if (threadIdx.x == 0)
        hits[blockIdx.x] = n;
}
CASE(counter_cleared_too_late) { clear_late<<<1, 64>>>(ints(64), ints(1)); }

__global__ void stride(int *a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        a[i] = a[i + blockDim.x * gridDim.x] + 1; /* FAULT: out_of_bounds */
    }
}
CASE(grid_stride_one_too_far) { stride<<<2, 32>>>(ints(200), 200); }

__global__ void volume(float *v, int nx, int ny, int nz)
{
    int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
    v[(x * ny + y) * nx + z] = 1; /* FAULT: out_of_bounds */
}
CASE(three_dimensions_mixed_up) { volume<<<1, dim3(8, 4, 2)>>>((float *)ints(64), 8, 4, 2); }

__global__ void far_row(char *m, int rows, int cols)
{
    int row = rows - 1 - threadIdx.x;
    m[row * cols] = 1; /* FAULT: out_of_bounds */
}
CASE(int_overflow_of_an_index) { far_row<<<1, 1>>>((char *)ints(1024), 65536, 65536); }

__device__ int *leaked;
__global__ void leak(int *out)
{
    __shared__ int mine;
    if (blockIdx.x == 0) {
        mine = 5;
        leaked = &mine;
    }
    __syncthreads();
}
__global__ void use_leaked(int *out) { *out = *leaked; } /* FAULT: out_of_bounds */
CASE(pointer_of_another_block)
{
    leak<<<1, 1>>>(ints(1));
    use_leaked<<<1, 1>>>(ints(1));
}
__device__ int *kept;
__global__ void keep_local(int *out)
{
    int mine = threadIdx.x;
    if (threadIdx.x == 0)
        kept = &mine;
    __syncthreads();
    out[threadIdx.x] = *kept; /* FAULT: out_of_bounds */
}
CASE(pointer_to_a_local) { keep_local<<<1, 32>>>(ints(32)); }

CASE(cuda_free_of_an_inner_pointer)
{
    int *d = ints(64);
    cudaFree(d + 1); /* FAULT: bad_free */
}

__global__ void dynamic_kernel(int *out)
{
    extern __shared__ int dyn[];
    dyn[threadIdx.x] = 1;
    out[threadIdx.x] = dyn[threadIdx.x];
}
CASE(dynamic_shared_memory_too_large)
{
    dynamic_kernel<<<1, 32, 100000>>>(ints(32)); /* REMARK: launch_refused */
}

CASE(grid_too_tall)
{
    dynamic_kernel<<<dim3(1, 70000), 32, 128>>>(ints(32)); /* REMARK: launch_refused */
}
