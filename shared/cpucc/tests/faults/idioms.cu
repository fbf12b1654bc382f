/* More correct programs: idioms that a checker could take for mistakes. */
#include "../order/order.h"
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <vector>

#define EXPECT(c)                                                                                  \
    do                                                                                             \
        if (!(c)) {                                                                                \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #c);                                         \
            exit(3);                                                                               \
        }                                                                                          \
    while (0)

static int *upload(const std::vector<int> &v)
{
    int *d = ints((int)v.size());
    cudaMemcpy(d, v.data(), v.size() * 4, cudaMemcpyHostToDevice);
    return d;
}
static std::vector<int> download(const int *d, int n)
{
    std::vector<int> v(n);
    cudaMemcpy(v.data(), d, n * 4, cudaMemcpyDeviceToHost);
    return v;
}

__device__ unsigned next_item;
__global__ void work_queue(int *out, int n)
{
    for (;;) {
        unsigned i;
        if (threadIdx.x % 32 == 0)
            i = atomicAdd(&next_item, 1);
        i = __shfl_sync(0xffffffff, i, 0);
        if (i >= n)
            break;
        int lane = threadIdx.x % 32;
        int v = __reduce_add_sync(0xffffffff, lane * (int)i);
        if (lane == 0)
            out[i] = v;
    }
}
CASE(work_queue_of_warps)
{
    int *out = ints(20);
    work_queue<<<2, 96>>>(out, 20);
    EXPECT(download(out, 20)[19] == 496 * 19);
}

__device__ unsigned retired;
__global__ void mean(const int *in, int *partial, int *out)
{
    __shared__ int s[64];
    __shared__ bool last;
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (int d = 32; d; d /= 2) {
        if (threadIdx.x < d)
            s[threadIdx.x] += s[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = s[0];
        __threadfence();
        last = atomicInc(&retired, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++)
            total += ((volatile int *)partial)[b];
        *out = total;
    }
}
CASE(retirement_with_reset)
{
    int *in = upload(std::vector<int>(512, 2)), *partial = ints(8), *out = ints(1);
    for (int k = 0; k < 3; k++)
        mean<<<8, 64>>>(in, partial, out);
    EXPECT(download(out, 1)[0] == 1024);
}

__global__ void piped(const int *in, int *out, int batches)
{
    extern __shared__ int stage[];
    auto block = cg::this_thread_block();
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto pipe = cuda::make_pipeline(block, &state);
    int sum = 0, fetched = 0;
    for (int b = 0; b < batches; b++) {
        for (; fetched < batches && fetched < b + 2; fetched++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage + fetched % 2 * 64, in + fetched * 64, 256, pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += stage[b % 2 * 64 + 63 - threadIdx.x];
        pipe.consumer_release();
    }
    out[threadIdx.x] = sum;
}
CASE(pipeline_of_a_block)
{
    int *out = ints(64);
    piped<<<1, 64, 2 * 64 * 4>>>(upload(std::vector<int>(256, 3)), out, 4);
    EXPECT(download(out, 64)[63] == 12);
}

__global__ void group_copies(const int *in, int *out)
{
    __shared__ alignas(16) int s[256];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    auto block = cg::this_thread_block();
    if (block.thread_rank() == 0)
        init(&bar, block.size());
    block.sync();
    for (int k = 0; k < 3; k++) {
        cuda::memcpy_async(block, s, in + 256 * k, cuda::aligned_size_t<16>(1024), bar);
        bar.arrive_and_wait();
        out[256 * k + threadIdx.x] = s[threadIdx.x ^ 1];
        block.sync();
    }
}
CASE(copies_by_all_threads)
{
    std::vector<int> v(768);
    for (int i = 0; i < 768; i++)
        v[i] = i;
    int *out = ints(768);
    group_copies<<<1, 256>>>(upload(v), out);
    EXPECT(download(out, 768)[700] == 701);
}

template <class T>
__device__ T *carve(char *&p, int n)
{
    p = (char *)(((size_t)p + alignof(T) - 1) / alignof(T) * alignof(T));
    T *r = (T *)p;
    p += n * sizeof(T);
    return r;
}
__global__ void carved(int *out)
{
    extern __shared__ __align__(16) char raw[];
    char *p = raw;
    char *flags = carve<char>(p, 33);
    double *d = carve<double>(p, 32);
    short *h = carve<short>(p, 32);
    float4 *q = carve<float4>(p, 32);
    int t = threadIdx.x;
    flags[t] = t;
    d[t] = t;
    h[t] = t;
    q[t] = make_float4(t, t, t, t);
    __syncthreads();
    int o = 31 - t;
    out[t] = flags[o] + (int)d[o] + h[o] + (int)q[o].w;
}
CASE(arrays_in_dynamic_shared_memory)
{
    int *out = ints(32);
    carved<<<1, 32, 33 + 8 + 256 + 64 + 16 + 512>>>(out);
    EXPECT(download(out, 32)[0] == 124);
}

__device__ unsigned lane_by_ptx()
{
    unsigned l;
    asm("mov.u32 %0, %%laneid;" : "=r"(l));
    return l;
}
__global__ void ptx(unsigned *out, unsigned *flag)
{
    unsigned l = lane_by_ptx(), a, b, c, d;
    asm("bfe.u32 %0, %1, 2, 3;" : "=r"(a) : "r"(l));
    asm("prmt.b32 %0, %1, %2, 0x3210;" : "=r"(b) : "r"(l), "r"(0));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(c) : "r"(l), "r"(3u), "r"(5u));
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(d) : "l"(flag + 1));
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(flag), "r"(1u) : "memory");
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p mov.u32 %0, 7; }" : "+r"(d) : "r"(l));
    unsigned long long w;
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(w) : "r"(l), "r"(65536u));
    out[l] = a + b + c + d + (unsigned)(w >> 16);
}
CASE(words_of_ptx)
{
    unsigned *out = (unsigned *)ints(32), *flag = (unsigned *)ints(2);
    ptx<<<1, 32>>>(out, flag);
    unsigned l = 13;
    EXPECT(download((int *)out, 32)[13] ==
           (int)(((l >> 2) & 7) + l + ((l & 3) | (l & 5) | (3 & 5)) + 7 + l));
}

static int called;
static void on_host(void *p) { *(int *)p += 1; }
static void callback(cudaStream_t, cudaError_t e, void *p)
{
    *(int *)p += e == cudaSuccess ? 10 : 0;
}
__global__ void nothing() {}
CASE(callbacks_and_host_functions)
{
    cudaStream_t s;
    cudaStreamCreate(&s);
    nothing<<<1, 1, 0, s>>>();
    cudaLaunchHostFunc(s, on_host, &called);
    cudaStreamAddCallback(s, callback, &called, 0);
    cudaStreamSynchronize(s);
    EXPECT(called == 11);
}

__global__ void distance(const char *a, const char *b, int *table, int n)
{
    int i = threadIdx.x + 1;
    for (int d = 2; d <= 2 * n; d++) {
        int j = d - i;
        if (j >= 1 && j <= n) {
            int *row = table + i * (n + 1), *up = row - (n + 1);
            row[j] = min(min(row[j - 1], up[j]) + 1, up[j - 1] + (a[i - 1] != b[j - 1]));
        }
        __syncthreads();
    }
}
CASE(wavefront_of_a_table)
{
    const int n = 7;
    std::vector<int> t((n + 1) * (n + 1));
    for (int i = 0; i <= n; i++)
        t[i] = t[i * (n + 1)] = i;
    int *d = upload(t);
    char *s;
    cudaMalloc(&s, 16);
    cudaMemcpy(s, "kitten sitting ", 16, cudaMemcpyHostToDevice);
    distance<<<1, n>>>(s, s + 7, d, n);
    EXPECT(download(d, 64)[63] == 3);
}

__global__ void search(const int *in, int n, int x, int *where)
{
    __shared__ int found;
    if (threadIdx.x == 0)
        found = -1;
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        __syncthreads();
        if (found >= 0)
            break;
        __syncthreads();
        if (in[i] == x)
            found = i;
    }
    __syncthreads();
    if (threadIdx.x == 0)
        *where = found;
}
CASE(early_out_by_all_of_the_block)
{
    std::vector<int> v(256);
    for (int i = 0; i < 256; i++)
        v[i] = i * 3;
    int *where = ints(1);
    search<<<1, 64>>>(upload(v), 256, 300, where);
    EXPECT(download(where, 1)[0] == 100);
}

__global__ void spmv(const int *start, const int *col, const int *val, const int *x, int *y,
                     int rows)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    int sum = 0;
    for (int k = start[row] + lane; k < start[row + 1]; k += 32)
        sum += val[k] * x[col[k]];
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(0xffffffff, sum, d);
    if (lane == 0)
        y[row] = sum;
}
CASE(sparse_rows_by_warps)
{
    std::vector<int> start = {0}, col, val, x(40, 2);
    for (int r = 0; r < 9; r++) {
        for (int k = 0; k < 5 * r; k++) {
            col.push_back(k % 40);
            val.push_back(1);
        }
        start.push_back((int)col.size());
    }
    int *y = ints(9);
    spmv<<<3, 128>>>(upload(start), upload(col), upload(val), upload(x), y, 9);
    EXPECT(download(y, 9)[8] == 80);
}

union Quad {
    float4 v;
    float f[4];
};
__global__ void sum_quads(const float4 *in, float *out)
{
    Quad q;
    q.v = in[threadIdx.x];
    float s = 0;
    for (int i = 0; i < 4; i++)
        s += q.f[i];
    Quad r;
    for (int i = 0; i < 4; i++)
        r.f[i] = s * i;
    ((float4 *)out)[threadIdx.x] = r.v;
}
CASE(matrices_in_a_union_of_views)
{
    float *out = (float *)ints(128);
    sum_quads<<<1, 32>>>((float4 *)ints(128), out);
}

struct Candidate {
    float cost;
    int index;
};
__device__ Candidate better(Candidate a, Candidate b) { return b.cost < a.cost ? b : a; }
__global__ void best(const float *cost, int *out, int n)
{
    __shared__ Candidate s[64];
    Candidate c;
    c.cost = 1e30f;
    c.index = -1;
    for (int i = threadIdx.x; i < n; i += 64) {
        Candidate d = {cost[i], i};
        c = better(c, d);
    }
    s[threadIdx.x] = c;
    __syncthreads();
    for (int k = 32; k; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] = better(s[threadIdx.x], s[threadIdx.x + k]);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = s[0].index;
}
CASE(best_of_a_struct)
{
    std::vector<float> c(100);
    for (int i = 0; i < 100; i++)
        c[i] = (float)((i * 37 + 11) % 101);
    float *d = (float *)ints(100);
    cudaMemcpy(d, c.data(), 400, cudaMemcpyHostToDevice);
    int *out = ints(1);
    best<<<1, 64>>>(d, out, 100);
    int w = 0;
    for (int i = 1; i < 100; i++)
        if (c[i] < c[w])
            w = i;
    EXPECT(download(out, 1)[0] == w);
}

__managed__ int managed_in[32], managed_sum;
__global__ void sum_managed() { atomicAdd(&managed_sum, managed_in[threadIdx.x]); }
CASE(managed_variables)
{
    for (int i = 0; i < 32; i++)
        managed_in[i] = i;
    managed_sum = 4;
    sum_managed<<<1, 32>>>();
    cudaDeviceSynchronize();
    EXPECT(managed_sum == 500);
    managed_sum = 0;
    sum_managed<<<1, 32>>>();
    cudaDeviceSynchronize();
    EXPECT(managed_sum == 496);
}
