/* Correct programs as students and authors of libraries write them. */
#include "../order/order.h"
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <functional>
#include <new>
#include <vector>

#define EXPECT(c)                                                                                  \
    do                                                                                             \
        if (!(c)) {                                                                                \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #c);                                         \
            exit(3);                                                                               \
        }                                                                                          \
    while (0)

template <class T>
struct DeviceBuffer {
    T *data;
    size_t n;
    explicit DeviceBuffer(size_t count) : n(count)
    {
        cudaMalloc(&data, n * sizeof(T));
        cudaMemset(data, 0, n * sizeof(T));
    }
    DeviceBuffer(const std::vector<T> &v) : n(v.size())
    {
        cudaMalloc(&data, n * sizeof(T));
        cudaMemcpy(data, v.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    }
    ~DeviceBuffer() { cudaFree(data); }
    std::vector<T> host() const
    {
        std::vector<T> v(n);
        cudaMemcpy(v.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }
};
template <class T>
static std::vector<T> iota(size_t n, T first = 0)
{
    std::vector<T> v(n);
    for (size_t i = 0; i < n; i++)
        v[i] = first + (T)i;
    return v;
}

__global__ void saxpy(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        y[i] = a * x[i] + y[i];
}
CASE(saxpy_with_raii)
{
    DeviceBuffer<float> x(iota<float>(1000)), y(iota<float>(1000, 1));
    saxpy<<<4, 96>>>(1000, 2.0f, x.data, y.data);
    std::vector<float> r = y.host();
    for (int i = 0; i < 1000; i++)
        EXPECT(r[i] == 3.0f * i + 1);
}

template <typename T, typename F>
__device__ T inclusive(T v, F f)
{
    int lane = threadIdx.x & 31;
    for (int d = 1; d < 32; d <<= 1) {
        T up = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v = f(up, v);
    }
    return v;
}
template <typename T>
__global__ void block_scan(const T *in, T *out, int n)
{
    __shared__ T sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    T v = i < n ? in[i] : T(0);
    v = inclusive(v, [](T a, T b) { return a + b; });
    if (lane == 31)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        T s = lane < blockDim.x / 32 ? sums[lane] : T(0);
        s = inclusive(s, [](T a, T b) { return a + b; });
        sums[lane] = s;
    }
    __syncthreads();
    if (warp)
        v += sums[warp - 1];
    if (i < n)
        out[i] = v;
}
template <typename T>
static void scan_of()
{
    DeviceBuffer<T> in(iota<T>(250)), out(250);
    block_scan<T><<<1, 256>>>(in.data, out.data, 250);
    std::vector<T> r = out.host();
    T sum = 0;
    for (int i = 0; i < 250; i++)
        EXPECT(r[i] == (sum += T(i)));
}
CASE(warp_scan_by_shuffles)
{
    scan_of<int>();
    scan_of<float>();
    scan_of<double>();
    scan_of<unsigned long long>();
    scan_of<long>();
}

struct Plus {
    template <class T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return a + b;
    }
};
struct Maximum {
    template <class T>
    __host__ __device__ T operator()(T a, T b) const
    {
        return a < b ? b : a;
    }
};
template <class T, class Op, int BLOCK>
__global__ void reduce_by(const T *in, T *out, T start, Op op, int n)
{
    __shared__ T s[BLOCK];
    T v = start;
    for (int i = threadIdx.x; i < n; i += BLOCK)
        v = op(v, in[i]);
    s[threadIdx.x] = v;
    __syncthreads();
#pragma unroll
    for (int k = BLOCK / 2; k; k /= 2) {
        if (threadIdx.x < k)
            s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + k]);
        __syncthreads();
    }
    if (!threadIdx.x)
        *out = s[0];
}
CASE(functors_and_operations)
{
    DeviceBuffer<short> in(iota<short>(100));
    DeviceBuffer<short> out(1);
    reduce_by<short, Plus, 64><<<1, 64>>>(in.data, out.data, 0, Plus(), 100);
    EXPECT(out.host()[0] == 4950);
    DeviceBuffer<double> in2(iota<double>(77)), out2(1);
    reduce_by<double, Maximum, 32><<<1, 32>>>(in2.data, out2.data, -1e300, Maximum(), 77);
    EXPECT(out2.host()[0] == 76);
}

class Expression
{
  public:
    __device__ virtual int value() const = 0;
    __device__ virtual ~Expression() {}
};
class Number : public Expression
{
    int v;

  public:
    __device__ Number(int x) : v(x) {}
    __device__ int value() const override { return v; }
};
class Sum : public Expression
{
    Expression *a, *b;

  public:
    __device__ Sum(Expression *x, Expression *y) : a(x), b(y) {}
    __device__ ~Sum()
    {
        delete a;
        delete b;
    }
    __device__ int value() const override { return a->value() + b->value(); }
};
__global__ void build(Expression **e)
{
    *e = new Sum(new Number(3), new Sum(new Number(4), new Number(5)));
}
__global__ void evaluate(Expression **e, int *out)
{
    out[threadIdx.x] = (*e)->value() + threadIdx.x;
}
__global__ void destroy(Expression **e) { delete *e; }
CASE(classes_on_the_device)
{
    Expression **e;
    cudaMalloc(&e, sizeof *e);
    DeviceBuffer<int> out(32);
    build<<<1, 1>>>(e);
    evaluate<<<1, 32>>>(e, out.data);
    destroy<<<1, 1>>>(e);
    EXPECT(out.host()[31] == 43);
    cudaFree(e);
}

typedef int (*Step)(int);
__device__ int increment(int v) { return v + 1; }
__device__ int square(int v) { return v * v; }
__device__ int negate_it(int v) { return -v; }
__device__ Step steps[3] = {increment, square, negate_it};
__global__ void run_steps(int *a)
{
    int v = threadIdx.x;
    for (int k = 0; k < 3; k++)
        v = steps[(threadIdx.x + k) % 3](v);
    a[threadIdx.x] = v;
}
CASE(table_of_functions)
{
    DeviceBuffer<int> a(33);
    run_steps<<<1, 33>>>(a.data);
    EXPECT(a.host()[3] == -16);
    EXPECT(a.host()[4] == -15);
    EXPECT(a.host()[5] == 16);
}

__device__ bool odd(unsigned n);
__device__ bool even(unsigned n) { return n == 0 || odd(n - 1); }
__device__ bool odd(unsigned n) { return n != 0 && even(n - 1); }
__device__ unsigned ackermann(unsigned m, unsigned n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void recursive(unsigned *out)
{
    out[threadIdx.x] = even(threadIdx.x) ? ackermann(2, threadIdx.x % 4) : 0;
}
CASE(recursion_in_pairs)
{
    DeviceBuffer<unsigned> out(32);
    recursive<<<1, 32>>>(out.data);
    EXPECT(out.host()[2] == 7 && out.host()[3] == 0);
}

__global__ void sort_rows(int *a, int n)
{
    int *row = a + threadIdx.x * n;
    int stack[64], top = 0;
    stack[top++] = 0;
    stack[top++] = n - 1;
    while (top) {
        int hi = stack[--top], lo = stack[--top];
        if (lo >= hi)
            continue;
        int pivot = row[(lo + hi) / 2], i = lo, j = hi;
        while (i <= j) {
            while (row[i] < pivot)
                i++;
            while (row[j] > pivot)
                j--;
            if (i <= j) {
                int t = row[i];
                row[i++] = row[j];
                row[j--] = t;
            }
        }
        stack[top++] = lo;
        stack[top++] = j;
        stack[top++] = i;
        stack[top++] = hi;
    }
}
CASE(quicksort_with_a_stack)
{
    std::vector<int> v(8 * 50);
    for (size_t i = 0; i < v.size(); i++)
        v[i] = (int)(i * 7919 % 1009);
    DeviceBuffer<int> a(v);
    sort_rows<<<1, 8>>>(a.data, 50);
    v = a.host();
    for (int r = 0; r < 8; r++)
        for (int i = 1; i < 50; i++)
            EXPECT(v[r * 50 + i - 1] <= v[r * 50 + i]);
}

struct Body {
    char kind;
    double mass;
    float3 at;
    short id;
};
__global__ void move(Body *b, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    Body mine = b[i];
    mine.at.x += 1;
    mine.mass *= mine.kind;
    b[i] = mine;
}
__global__ void swap_bodies(Body *b)
{
    __shared__ Body s[16];
    s[threadIdx.x] = b[threadIdx.x];
    __syncthreads();
    b[threadIdx.x] = s[15 - threadIdx.x];
}
CASE(structs_and_padding)
{
    std::vector<Body> v(16);
    for (int i = 0; i < 16; i++) {
        v[i].kind = 2;
        v[i].mass = i;
        v[i].at = make_float3(i, 0, 0);
        v[i].id = i;
    }
    DeviceBuffer<Body> b(v);
    move<<<1, 32>>>(b.data, 16);
    swap_bodies<<<1, 16>>>(b.data);
    v = b.host();
    EXPECT(v[0].mass == 30 && v[15].at.x == 1 && v[3].id == 12);
}

struct Hit {
    bool valid;
    float t;
    short material;
};
__device__ Hit nearest(float x)
{
    Hit h;
    h.valid = x > 0;
    h.t = x;
    h.material = (short)x;
    return h;
}
__global__ void trace(Hit *hits, float *depth)
{
    Hit best = nearest(threadIdx.x);
    for (int k = 0; k < 4; k++) {
        Hit h = nearest((float)threadIdx.x - k);
        if (h.valid && h.t < best.t)
            best = h;
    }
    hits[threadIdx.x] = best;
    depth[threadIdx.x] = best.valid ? best.t : -1;
}
CASE(struct_made_on_the_device)
{
    Hit *hits;
    cudaMalloc(&hits, 64 * sizeof *hits);
    DeviceBuffer<float> depth(64);
    trace<<<2, 32>>>(hits, depth.data);
    std::vector<Hit> h(64);
    cudaMemcpy(h.data(), hits, 32 * sizeof *hits, cudaMemcpyDeviceToHost);
    EXPECT(depth.host()[5] == 2 && h[5].material == 2);
}

union Packed {
    struct {
        unsigned r : 5, g : 6, b : 5, pad : 16;
    } part;
    unsigned all;
};
__global__ void pack(unsigned *out)
{
    Packed p;
    p.all = 0;
    p.part.r = threadIdx.x;
    p.part.g = 2 * threadIdx.x;
    p.part.b = 31 - threadIdx.x;
    out[threadIdx.x] = p.all;
}
__global__ void pack_shared(unsigned *out)
{
    __shared__ Packed s[32];
    s[threadIdx.x].all = 0;
    s[threadIdx.x].part.r = threadIdx.x;
    s[threadIdx.x].part.b = 3;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x].all;
}
CASE(bit_fields_and_unions)
{
    DeviceBuffer<unsigned> out(32);
    pack<<<1, 32>>>(out.data);
    EXPECT(out.host()[1] == (1 | 2 << 5 | 30 << 11));
    pack_shared<<<1, 32>>>(out.data);
    EXPECT(out.host()[0] == (31 | 3 << 11));
}

template <class T>
__global__ void add_all(T *sum)
{
    atomicAdd(sum, (T)1);
}
template <class T>
__global__ void extremes(T *lo, T *hi)
{
    atomicMin(lo, (T)threadIdx.x);
    atomicMax(hi, (T)threadIdx.x);
}
__global__ void bits(unsigned *a, unsigned long long *b, int *wrap)
{
    atomicOr(a, 1u << (threadIdx.x % 32));
    atomicXor(a + 1, 1u << (threadIdx.x % 32));
    atomicAnd(a + 2, ~(1u << (threadIdx.x % 32)));
    atomicOr(b, 1ull << threadIdx.x);
    atomicInc((unsigned *)wrap, 9);
    atomicDec((unsigned *)wrap + 1, 9);
    atomicSub(wrap + 2, 2);
    atomicExch(wrap + 3, 5);
    atomicCAS(wrap + 4, 0, 7);
}
template <class T>
static void add_of()
{
    DeviceBuffer<T> s(1);
    add_all<<<4, 64>>>(s.data);
    EXPECT(s.host()[0] == (T)256);
}
template <class T>
static void extremes_of()
{
    DeviceBuffer<T> s(std::vector<T>{(T)100, (T)0});
    extremes<<<2, 64>>>(s.data, s.data + 1);
    EXPECT(s.host()[0] == (T)0 && s.host()[1] == (T)63);
}
__global__ void add_halves(__half *h, __half2 *h2, __nv_bfloat16 *b, __nv_bfloat162 *b2)
{
    atomicAdd(h, __float2half(1));
    atomicAdd(h2, __floats2half2_rn(1, 2));
    atomicAdd(b, __float2bfloat16(1));
    atomicAdd(b2, __floats2bfloat162_rn(1, 2));
}
CASE(atomics_of_all_types)
{
    add_of<int>();
    add_of<unsigned>();
    add_of<unsigned long long>();
    add_of<float>();
    add_of<double>();
    extremes_of<int>();
    extremes_of<unsigned>();
    extremes_of<long long>();
    extremes_of<unsigned long long>();
    DeviceBuffer<unsigned> a(3);
    DeviceBuffer<unsigned long long> b(1);
    DeviceBuffer<int> w(5);
    bits<<<1, 64>>>(a.data, b.data, w.data);
    EXPECT(a.host()[0] == ~0u && a.host()[1] == 0 && b.host()[0] == ~0ull);
    EXPECT(w.host()[0] == 4 && w.host()[2] == -128 && w.host()[3] == 5 && w.host()[4] == 7);
    DeviceBuffer<float> h(4);
    add_halves<<<1, 32>>>((__half *)h.data, (__half2 *)(h.data + 1), (__nv_bfloat16 *)(h.data + 2),
                          (__nv_bfloat162 *)(h.data + 3));
    std::vector<float> r = h.host();
    __half one;
    memcpy((void *)&one, &r[0], 2);
    EXPECT(__half2float(one) == 32);
}

template <class T>
__global__ void rotate_lanes(T *out)
{
    T v = (T)(threadIdx.x + 1);
    v = __shfl_sync(0xffffffff, v, threadIdx.x + 1);
    v = __shfl_xor_sync(0xffffffff, v, 1);
    v = __shfl_up_sync(0xffffffff, v, 2, 8);
    v = __shfl_down_sync(0xffffffff, v, 2, 16);
    out[threadIdx.x] = v;
}
template <class T>
static void rotate_of()
{
    DeviceBuffer<T> out(32);
    rotate_lanes<<<1, 32>>>(out.data);
    EXPECT((double)out.host()[0] == 3);
}
CASE(shuffles_of_all_types)
{
    rotate_of<int>();
    rotate_of<unsigned>();
    rotate_of<long>();
    rotate_of<unsigned long>();
    rotate_of<long long>();
    rotate_of<unsigned long long>();
    rotate_of<float>();
    rotate_of<double>();
}

__global__ void votes(unsigned *out)
{
    unsigned lane = threadIdx.x, all = 0xffffffff, r = 0;
    r += __all_sync(all, lane < 32) + __any_sync(all, lane == 5) +
         __popc(__ballot_sync(all, lane & 1));
    r += __popc(__match_any_sync(all, lane / 4));
    int same;
    r += __match_all_sync(all, 7, &same) == all && same;
    r += __reduce_add_sync(all, 1u) + __reduce_max_sync(all, lane) + __reduce_min_sync(all, lane);
    r += __reduce_and_sync(all, 3u) + __reduce_or_sync(all, lane) + __reduce_xor_sync(all, 1u);
    if (lane < 16)
        r += __popc(__activemask());
    __syncwarp();
    out[lane] = r;
}
CASE(votes_and_matches)
{
    DeviceBuffer<unsigned> out(32);
    votes<<<1, 32>>>(out.data);
    EXPECT(out.host()[20] == 1 + 1 + 16 + 4 + 1 + 32 + 31 + 0 + 3 + 31 + 0);
}

__global__ void filter(const int *in, int *out, int *n, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    if (in[i] % 3 == 0) {
        cg::coalesced_group active = cg::coalesced_threads();
        int base;
        if (active.thread_rank() == 0)
            base = atomicAdd(n, active.size());
        base = active.shfl(base, 0);
        out[base + active.thread_rank()] = in[i];
    }
}
CASE(warp_queue_with_leaders)
{
    DeviceBuffer<int> in(iota<int>(300)), out(300), n(1);
    filter<<<3, 128>>>(in.data, out.data, n.data, 300);
    EXPECT(n.host()[0] == 100);
}

struct Cell {
    int next, value;
};
__device__ int stack_head = -1;
__global__ void push(Cell *cells)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    cells[i].value = i;
    int seen = atomicAdd(&stack_head, 0), before;
    do {
        before = seen;
        cells[i].next = before;
        __threadfence();
        seen = atomicCAS(&stack_head, before, i);
    } while (seen != before);
}
__global__ void walk(const Cell *cells, int *out)
{
    int s = 0, n = 0;
    for (int i = stack_head; i >= 0; i = cells[i].next) {
        s += cells[i].value;
        n++;
    }
    out[0] = s;
    out[1] = n;
}
CASE(lock_free_stack)
{
    Cell *cells;
    cudaMalloc(&cells, 96 * sizeof *cells);
    DeviceBuffer<int> out(2);
    push<<<3, 32>>>(cells);
    walk<<<1, 1>>>(cells, out.data);
    EXPECT(out.host()[0] == 96 * 95 / 2 && out.host()[1] == 96);
}

__global__ void insert(unsigned long long *table, int slots, const unsigned *keys, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned h = keys[i] * 2654435761u % slots;
    for (;;) {
        unsigned long long old = atomicCAS(&table[h], ~0ull, (unsigned long long)keys[i] << 32 | i);
        if (old == ~0ull || old >> 32 == keys[i])
            return;
        h = (h + 1) % slots;
    }
}
__global__ void lookup(const unsigned long long *table, int slots, const unsigned *keys, int *out,
                       int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned h = keys[i] * 2654435761u % slots;
    while (table[h] >> 32 != keys[i])
        h = (h + 1) % slots;
    out[i] = (int)(unsigned)table[h];
}
CASE(hash_table_by_swaps)
{
    DeviceBuffer<unsigned> keys(iota<unsigned>(100, 5));
    DeviceBuffer<int> out(100);
    unsigned long long *table;
    cudaMalloc(&table, 256 * 8);
    cudaMemset(table, 0xff, 256 * 8);
    insert<<<4, 32>>>(table, 256, keys.data, 100);
    lookup<<<4, 32>>>(table, 256, keys.data, out.data, 100);
    EXPECT(out.host()[42] == 42);
}

template <int N>
__global__ void tile_sums(int *out)
{
    cg::thread_block_tile<N> tile = cg::tiled_partition<N>(cg::this_thread_block());
    int v = cg::reduce(tile, (int)threadIdx.x, cg::plus<int>());
    int e = cg::exclusive_scan(tile, 1);
    if (tile.thread_rank() == N - 1)
        out[tile.meta_group_rank()] = v + e;
    tile.sync();
}
CASE(groups_of_all_sizes)
{
    DeviceBuffer<int> out(64);
    tile_sums<4><<<1, 64>>>(out.data);
    EXPECT(out.host()[1] == 4 + 5 + 6 + 7 + 3);
    tile_sums<32><<<1, 64>>>(out.data);
    EXPECT(out.host()[0] == 31 * 16 + 31);
    tile_sums<1><<<1, 64>>>(out.data);
    EXPECT(out.host()[9] == 9);
}

__global__ void busy(float *a, int n, float s)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        a[i] = a[i] * s + 1;
}
CASE(several_streams)
{
    const int parts = 4, n = 256;
    float *host, *device;
    cudaMallocHost(&host, parts * n * 4);
    cudaMalloc(&device, parts * n * 4);
    for (int i = 0; i < parts * n; i++)
        host[i] = i;
    cudaStream_t s[parts];
    cudaEvent_t done[parts];
    for (int i = 0; i < parts; i++) {
        cudaStreamCreate(&s[i]);
        cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming);
        cudaMemcpyAsync(device + i * n, host + i * n, n * 4, cudaMemcpyHostToDevice, s[i]);
        busy<<<2, 64, 0, s[i]>>>(device + i * n, n, 2);
        cudaEventRecord(done[i], s[i]);
    }
    for (int i = 1; i < parts; i++)
        cudaStreamWaitEvent(s[0], done[i], 0);
    busy<<<4, 64, 0, s[0]>>>(device, parts * n, 3);
    cudaMemcpyAsync(host, device, parts * n * 4, cudaMemcpyDeviceToHost, s[0]);
    cudaStreamSynchronize(s[0]);
    for (int i = 0; i < parts * n; i++)
        EXPECT(host[i] == (2 * i + 1) * 3 + 1);
    for (int i = 0; i < parts; i++) {
        cudaStreamDestroy(s[i]);
        cudaEventDestroy(done[i]);
    }
    cudaFree(device);
    cudaFreeHost(host);
}

struct Link {
    int value;
    Link *next;
};
__global__ void sum_list(const Link *l, int *out)
{
    int s = 0;
    for (; l; l = l->next)
        s += l->value;
    *out = s;
}
CASE(managed_list)
{
    Link *head = nullptr;
    for (int i = 0; i < 10; i++) {
        Link *l;
        cudaMallocManaged(&l, sizeof *l);
        l->value = i;
        l->next = head;
        head = l;
    }
    int *out;
    cudaMallocManaged(&out, 4);
    sum_list<<<1, 1>>>(head, out);
    cudaDeviceSynchronize();
    EXPECT(*out == 45);
    while (head) {
        Link *l = head;
        head = head->next;
        cudaFree(l);
    }
    cudaFree(out);
}

struct Camera {
    float m[3][4];
    int w, h;
};
__constant__ Camera camera;
__constant__ int primes[] = {2, 3, 5, 7};
__global__ void project(float *out)
{
    out[threadIdx.x] =
        camera.m[threadIdx.x % 3][threadIdx.x % 4] + camera.w + primes[threadIdx.x % 4];
}
CASE(constant_structs)
{
    Camera c = {};
    c.m[1][1] = 5;
    c.w = 100;
    cudaMemcpyToSymbol(camera, &c, sizeof c);
    DeviceBuffer<float> out(12);
    project<<<1, 12>>>(out.data);
    EXPECT(out.host()[1] == 108);
    void *at;
    cudaGetSymbolAddress(&at, camera);
    c.w = 1;
    cudaMemcpy(at, &c, sizeof c, cudaMemcpyHostToDevice);
    project<<<1, 12>>>(out.data);
    EXPECT(out.host()[1] == 9);
}

__global__ void brighten(unsigned char *image, size_t pitch, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h)
        image[y * pitch + x] += 10;
}
CASE(pitched_memory)
{
    unsigned char h[20][30], *d;
    memset(h, 1, sizeof h);
    size_t pitch;
    cudaMallocPitch(&d, &pitch, 30, 20);
    cudaMemcpy2D(d, pitch, h, 30, 30, 20, cudaMemcpyHostToDevice);
    brighten<<<dim3(4, 3), dim3(8, 8)>>>(d, pitch, 30, 20);
    cudaMemcpy2D(h, 30, d, pitch, 30, 20, cudaMemcpyDeviceToHost);
    EXPECT(h[19][29] == 11);
    cudaFree(d);
}

__global__ void fill3(cudaPitchedPtr p, cudaExtent e)
{
    for (int z = 0; z < e.depth; z++)
        for (int y = 0; y < e.height; y++)
            ((float *)((char *)p.ptr + (z * e.height + y) * p.pitch))[threadIdx.x] = z * 100 + y;
}
CASE(volumes)
{
    cudaExtent e = make_cudaExtent(10 * sizeof(float), 4, 3);
    cudaPitchedPtr p;
    cudaMalloc3D(&p, e);
    fill3<<<1, 10>>>(p, e);
    float h[3][4][10];
    cudaMemcpy3DParms c = {};
    c.srcPtr = p;
    c.dstPtr = make_cudaPitchedPtr(h, 40, 10, 4);
    c.extent = e;
    c.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&c);
    EXPECT(h[2][3][9] == 203);
    cudaFree(p.ptr);
}
