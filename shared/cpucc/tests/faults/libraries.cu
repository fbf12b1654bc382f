/* Faults as authors of libraries make them: warps, copies, order between blocks, host. */
#include "../order/order.h"
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
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

__global__ void tile_part(int *out)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int v = threadIdx.x;
    if (tile.thread_rank() < 6)
        v = tile.shfl(v, 0); /* FAULT: lane_mask */
    tile.sync();
    out[threadIdx.x] = v;
}
CASE(tile_in_a_branch) { tile_part<<<1, 32>>>(ints(32)); }

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

__global__ void short_by_one(int *out)
{
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x + 1);
    __syncthreads();
    bar.arrive_and_wait(); /* FAULT: endless_wait */
    out[threadIdx.x] = 1;
}
CASE(mbarrier_one_arrival_short) { short_by_one<<<1, 64>>>(ints(64)); }

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

struct SpinLock {
    int state;
    __device__ void lock()
    {
        while (atomicCAS(&state, 0, 1))
            ;
    }
    __device__ void unlock() { atomicExch(&state, 0); }
};
__device__ SpinLock guard_of_total;
__device__ long long total_of_all;
__global__ void add_locked(long long v)
{
    guard_of_total.lock();
    total_of_all += v; /* FAULT: race_read_after_write, race_write_after_write */
    guard_of_total.unlock();
}
CASE(spin_lock_no_fence) { add_locked<<<4, 1>>>(5); }

__device__ int ready_, table_[32];
__device__ const int *get_table()
{
    if (!*(volatile int *)&ready_) {
        for (int i = 0; i < 32; i++)
            table_[i] = i * i + 1;
        *(volatile int *)&ready_ = 1;
    }
    return table_;
}
__global__ void use_table(int *out)
{
    out[blockIdx.x] = get_table()[blockIdx.x]; /* FAULT: race_read_after_write */
}
CASE(lazy_initialisation) { use_table<<<4, 1>>>(ints(4)); }

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

__device__ unsigned done_;
__global__ void poll_too_few(int *part, int *out)
{
    part[blockIdx.x] = blockIdx.x + 1; /* FAULT: race_write_after_read */
    __threadfence();
    atomicAdd(&done_, 1);
    if (blockIdx.x == 0) {
        while (atomicAdd(&done_, 0) < gridDim.x - 1)
            ;
        __threadfence();
        int s = 0;
        for (int i = 0; i < gridDim.x; i++)
            s += part[i];
        *out = s;
    }
}
CASE(polls_for_too_few) { poll_too_few<<<4, 1>>>(ints(4), ints(1)); }

struct Flags {
    unsigned a : 4, b : 4, c : 24;
};
__global__ void set_flags(Flags *f)
{
    if (threadIdx.x == 0)
        f->a = 3;
    if (threadIdx.x == 32)
        f->b = 5; /* FAULT: race_read_after_write, race_write_after_write */
}
CASE(bit_fields_of_two_threads) { set_flags<<<1, 64>>>((Flags *)ints(1)); }

__global__ void pairs(__half *h)
{
    ((__half2 *)(h + 1))[threadIdx.x] = __half2(); /* FAULT: misaligned */
}
CASE(half_pairs_at_odd_places) { pairs<<<1, 4>>>((__half *)ints(8)); }

struct Shape {
    __host__ __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float a;
    __host__ __device__ Square(float s) : a(s) {}
    __host__ __device__ float area() const override { return a * a; }
};
__global__ void areas(const Shape *s, float *out) { *out = s->area(); } /* FAULT: out_of_bounds */
CASE(object_of_the_host)
{
    Square q(2), *d;
    cudaMalloc(&d, sizeof q);
    cudaMemcpy(d, &q, sizeof q, cudaMemcpyHostToDevice);
    areas<<<1, 1>>>(d, (float *)ints(1));
}

typedef float (*Op)(float);
__device__ float twice(float v) { return 2 * v; }
__global__ void apply(Op op, float *x) { *x = op(*x); } /* FAULT: out_of_bounds */
static float twice_host(float v) { return 2 * v; }
CASE(function_of_the_host) { apply<<<1, 1>>>(twice_host, (float *)ints(1)); }

__global__ void twice_deleted()
{
    int *p = new int[4];
    delete[] p;
    delete[] p; /* FAULT: double_free */
}
CASE(deleted_twice) { twice_deleted<<<1, 1>>>(); }

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

CASE(pitched_rows_too_many)
{
    char h[16 * 40], *d;
    size_t pitch;
    cudaMallocPitch(&d, &pitch, 40, 8);
    cudaMemcpy2D(d, pitch, h, 40, 40, 16, cudaMemcpyHostToDevice); /* FAULT: out_of_bounds */
}

__global__ void large_heap(int *out)
{
    int *p = (int *)malloc((size_t)1 << 40);
    p[threadIdx.x] = 1; /* FAULT: out_of_bounds */
    out[0] = p[0];
}
CASE(large_allocation_on_the_device) { large_heap<<<1, 1>>>(ints(1)); }

struct Wide {
    double a, b;
};
__global__ void placed(double *out)
{
    __shared__ char room[64];
    Wide *w = new (room + 4) Wide{1.0, 2.0}; /* FAULT: misaligned */
    *out = w->a + w->b;
}
CASE(placed_on_bytes) { placed<<<1, 1>>>((double *)ints(2)); }

struct Particle {
    float3 pos, vel;
    float mass;
};
__global__ void emit(Particle *p)
{
    Particle q;
    q.pos = make_float3(0, 0, 0);
    q.vel = make_float3(1, 0, 0);
    p[threadIdx.x] = q;
}
__global__ void weigh(const Particle *p, float *out)
{
    atomicAdd(out, p[threadIdx.x].mass); /* FAULT: uninitialised */
}
CASE(field_nobody_set)
{
    Particle *p;
    cudaMalloc(&p, 32 * sizeof *p);
    emit<<<1, 32>>>(p);
    weigh<<<1, 32>>>(p, (float *)ints(1));
}
__global__ void vote_branch(int *out)
{
    int i = threadIdx.x, v = 0;
    if (i < 16)
        v = __ballot_sync(0xffffffff, i & 1); /* FAULT: endless_wait */
    __syncthreads();
    out[i] = v;
}
CASE(vote_in_a_branch) { vote_branch<<<1, 32>>>(ints(32)); }

__global__ void active(const int *in, int *out)
{
    int i = threadIdx.x, v = in[i];
    if (i % 3) {
        v = __shfl_xor_sync(__activemask(), v, 1); /* FAULT: lane_mask */
    }
    out[i] = v;
}
CASE(active_mask_assumed) { active<<<1, 32>>>(ints(32), ints(32)); }

__global__ void syncwarp_mask(int *out)
{
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    __syncwarp(0x0000ffff); /* FAULT: lane_mask, endless_wait */
    out[threadIdx.x] = s[threadIdx.x ^ 1];
}
CASE(syncwarp_without_the_caller) { syncwarp_mask<<<1, 32>>>(ints(32)); }

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

__global__ void odd_even(int *a, int n)
{
    for (int phase = 0; phase < n; phase++) {
        int i = 2 * threadIdx.x + (phase & 1);
        if (i + 1 < n && a[i] > a[i + 1]) { /* FAULT: race_read_after_write */
            int t = a[i];
            a[i] = a[i + 1]; /* FAULT: race_write_after_write */
            a[i + 1] = t;    /* FAULT: race_write_after_write */
        }
    }
}
CASE(odd_even_sort_no_barrier)
{
    int h[64], *d = ints(64);
    for (int i = 0; i < 64; i++)
        h[i] = 64 - i;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    odd_even<<<1, 64>>>(d, 64);
}

__global__ void in_place(float *a, int n)
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    float v = a[y * n + x]; /* FAULT: race_read_after_write */
    a[x * n + y] = v;       /* FAULT: race_write_after_read */
}
CASE(transposed_in_place)
{
    int *a = ints(256);
    int h[256];
    for (int i = 0; i < 256; i++)
        h[i] = i;
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    in_place<<<dim3(2, 2), dim3(8, 8)>>>((float *)a, 16);
}

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

__global__ void wait_flag(int *data, int *flag)
{
    if (blockIdx.x == 0) {
        data[threadIdx.x] = threadIdx.x;
        if (threadIdx.x == 0) {
            __threadfence();
            atomicExch(flag, 1);
        }
    } else {
        if (threadIdx.x == 0)
            while (atomicAdd(flag, 0) == 0)
                ;
        __syncthreads();
        data[64 + threadIdx.x] = data[threadIdx.x]; /* FAULT: race_read_after_write */
    }
}
CASE(done_flag_of_another_block) { wait_flag<<<2, 64>>>(ints(128), ints(1)); }

__device__ float block_sum(float v)
{
    __shared__ float s[32];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0)
        s[threadIdx.x / 32] = v; /* FAULT: race_write_after_read */
    __syncthreads();
    float t = 0;
    for (int i = 0; i < blockDim.x / 32; i++)
        t += s[i]; /* FAULT: race_read_after_write */
    return t;
}
__global__ void normalise(float *x)
{
    float mean = block_sum(x[threadIdx.x]) / blockDim.x;
    float d = x[threadIdx.x] - mean;
    float var = block_sum(d * d) / blockDim.x;
    x[threadIdx.x] = d * rsqrtf(var + 1e-5f);
}
CASE(reduce_then_reuse) { normalise<<<1, 128>>>((float *)ints(128)); }

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

__global__ void column(float *out)
{
    __shared__ float tile[16][17];
    __shared__ float other[16];
    tile[threadIdx.y][threadIdx.x] = 1;
    if (threadIdx.y == 0)
        other[threadIdx.x] = 2;
    __syncthreads();
    out[threadIdx.y * 16 + threadIdx.x] =
        tile[threadIdx.x + 1][threadIdx.y] + other[threadIdx.x]; /* FAULT: out_of_bounds */
}
CASE(shared_column_too_wide) { column<<<1, dim3(16, 16)>>>((float *)ints(256)); }

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

__device__ int *make_local()
{
    int v[4] = {1, 2, 3, 4};
    int *volatile p = v;
    return p;
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

CASE(events_of_the_past)
{
    int *h, *d = ints(1 << 16);
    cudaMallocHost(&h, 4 << 16);
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaEvent_t e;
    cudaEventCreate(&e);
    cudaEventRecord(e, s);
    cudaMemcpyAsync(h, d, 4 << 16, cudaMemcpyDeviceToHost, s);
    cudaEventSynchronize(e);
    if (h[5]) /* FAULT: host_race */
        printf("no\n");
    cudaStreamSynchronize(s);
}

__global__ void to_mapped(int *m) { m[threadIdx.x] = 1; }
CASE(mapped_memory_read_early)
{
    int *h, *d;
    cudaHostAlloc(&h, 128, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&d, h, 0);
    to_mapped<<<1, 32>>>(d);
    if (h[3] == 2) /* FAULT: host_race */
        printf("no\n");
    cudaDeviceSynchronize();
}

CASE(host_loop_over_a_device_array)
{
    int *d = ints(64), sum = 0;
    for (int i = 0; i < 64; i++)
        sum += d[i]; /* FAULT: host_access */
    printf("%d\n", sum);
}

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
