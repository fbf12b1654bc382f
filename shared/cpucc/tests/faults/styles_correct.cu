/* Whole programs that look dangerous and are correct: memory and values. */
#include "../order/order.h"
#include <cstdlib>
#include <new>

/* Structs with holes, copied whole through shared memory, registers and global memory. */
namespace padded_structs_program
{
struct alignas(16) Item {
    char tag;
    double weight;
    short code;
};
struct Pair {
    Item a;
    char end;
};

__device__ Pair swapped(const Pair &p)
{
    Pair q = p;
    q.a.tag = p.end;
    q.end = p.a.tag;
    return q;
}

__global__ void shuffle(Item *in, Pair *out)
{
    __shared__ Pair s[32];
    Pair p;
    p.a = in[threadIdx.x];
    p.end = 'e';
    s[threadIdx.x] = p;
    __syncthreads();
    Pair q = s[31 - threadIdx.x];
    out[threadIdx.x] = swapped(q);
}

__global__ void fill(Item *in)
{
    Item i;
    i.tag = 'a' + threadIdx.x % 26;
    i.weight = 0.5 * threadIdx.x;
    i.code = threadIdx.x;
    in[threadIdx.x] = i;
}

static int run()
{
    Item *in;
    Pair *out, h[32];
    cudaMalloc(&in, 32 * sizeof(Item));
    cudaMalloc(&out, sizeof h);
    fill<<<1, 32>>>(in);
    shuffle<<<1, 32>>>(in, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    return h[0].a.tag == 'e' && h[0].end == 'a' + 31 % 26 && h[0].a.weight == 15.5 ? 0 : 3;
}
} // namespace padded_structs_program
PROGRAM(padded_structs)

/* Neighbouring bytes and halves of a word are written by different threads; unions; memcpy. */
namespace unions_and_bytes_program
{
union Word {
    unsigned u;
    unsigned char c[4];
    unsigned short s[2];
};

__global__ void bytes(unsigned *words, float *f)
{
    __shared__ Word w[32];
    int t = threadIdx.x;
    w[t / 4].c[t % 4] = t;
    __syncthreads();
    if (t < 32)
        words[t] = w[t].u;
    __syncthreads();
    if (t < 64)
        w[t / 2].s[t % 2] = 0x3f80 * (t % 2);
    __syncthreads();
    if (t < 32) {
        float v;
        memcpy(&v, &w[t], 4);
        f[t] = v + __uint_as_float(w[t].u);
    }
}

static int run()
{
    unsigned *words, h[32];
    float *f, hf[32];
    cudaMalloc(&words, sizeof h);
    cudaMalloc(&f, sizeof hf);
    bytes<<<1, 128>>>(words, f);
    cudaMemcpy(h, words, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
    return h[1] == 0x07060504 && hf[3] == 2 ? 0 : 3;
}
} // namespace unions_and_bytes_program
PROGRAM(unions_and_bytes)

/* A table of device functions, a pointer passed as a template argument, objects built on the
 * device. */
namespace function_pointers_and_virtuals_program
{
typedef float (*Fn)(float);
__device__ float twice(float x) { return 2 * x; }
__device__ float square(float x) { return x * x; }
__device__ Fn functions[] = {twice, square, nullptr};
template <Fn kF>
__device__ float apply(float x)
{
    return kF(x);
}

struct Shape {
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
struct Square : Shape {
    float a;
    __device__ explicit Square(float a) : a(a) {}
    __device__ float area() const override { return a * a; }
};
struct Circle : Shape {
    float r;
    __device__ explicit Circle(float r) : r(r) {}
    __device__ float area() const override { return 3 * r * r; }
};

__global__ void kernel(float *out)
{
    __shared__ alignas(16) char room[32][32];
    int t = threadIdx.x;
    Shape *s = t % 2 ? (Shape *)new (room[t]) Square(t) : new Circle(t);
    float v = s->area();
    for (int i = 0; functions[i]; i++)
        v += functions[i](t);
    out[t] = v + apply<twice>(t);
    if (t % 2)
        s->~Shape();
    else
        delete s;
}

static int run()
{
    float *out, h[32];
    cudaMalloc(&out, sizeof h);
    kernel<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    return h[3] == 9 + 6 + 9 + 6 && h[2] == 12 + 4 + 4 + 4 ? 0 : 3;
}
} // namespace function_pointers_and_virtuals_program
PROGRAM(function_pointers_and_virtuals)

/* Recursion: Ackermann, a tree in device memory, quicksort of a thread's own range. */
namespace recursion_program
{
__device__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

struct Node {
    int value, left, right;
};

__device__ int depth(const Node *n, int at)
{
    if (at < 0)
        return 0;
    return 1 + max(depth(n, n[at].left), depth(n, n[at].right));
}

__device__ void quicksort(int *a, int lo, int hi)
{
    if (lo >= hi)
        return;
    int pivot = a[(lo + hi) / 2], i = lo, j = hi;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
    quicksort(a, lo, j);
    quicksort(a, i, hi);
}

__global__ void kernel(int *a, const Node *tree, int *out)
{
    int local[20];
    for (int i = 0; i < 20; i++)
        local[i] = (i * 13 + threadIdx.x) % 20;
    quicksort(local, 0, 19);
    quicksort(a + 20 * threadIdx.x, 0, 19);
    out[threadIdx.x] = ackermann(2, threadIdx.x % 4) + depth(tree, 0) + local[19];
}

static int run()
{
    Node h[5] = {{1, 1, 2}, {2, -1, 3}, {3, -1, -1}, {4, -1, 4}, {5, -1, -1}}, *tree;
    int a[640], *d, *out, r[32];
    for (int i = 0; i < 640; i++)
        a[i] = (i * 7919) % 641;
    cudaMalloc(&tree, sizeof h);
    cudaMalloc(&d, sizeof a);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(tree, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(d, a, sizeof a, cudaMemcpyHostToDevice);
    kernel<<<1, 32>>>(d, tree, out);
    cudaMemcpy(a, d, sizeof a, cudaMemcpyDeviceToHost);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    for (int i = 1; i < 640; i++)
        if (i % 20 && a[i - 1] > a[i])
            return 3;
    return r[1] == 5 + 4 + 19 ? 0 : 3;
}
} // namespace recursion_program
PROGRAM(recursion)

/* Lists built with new and malloc by each thread, freed by a later kernel; a block's buffer
 * made by one thread. */
namespace device_heap_lists_program
{
struct Cell {
    int value;
    Cell *next;
};

__global__ void build(Cell **heads)
{
    Cell *head = nullptr;
    for (int i = 0; i <= (int)threadIdx.x % 5; i++)
        head = new Cell{i, head};
    heads[threadIdx.x] = head;
}

__global__ void total(Cell **heads, int *out)
{
    __shared__ int *scratch;
    if (threadIdx.x == 0)
        scratch = (int *)malloc(blockDim.x * sizeof(int));
    __syncthreads();
    int s = 0;
    for (Cell *c = heads[threadIdx.x]; c;) {
        Cell *next = c->next;
        s += c->value;
        delete c;
        c = next;
    }
    scratch[threadIdx.x] = s;
    __syncthreads();
    out[threadIdx.x] = scratch[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    if (threadIdx.x == 0)
        free(scratch);
}

static int run()
{
    Cell **heads;
    int *out, h[40];
    cudaMalloc(&heads, 40 * sizeof(Cell *));
    cudaMalloc(&out, sizeof h);
    build<<<1, 40>>>(heads);
    total<<<1, 40>>>(heads, out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    return h[3] == 10 ? 0 : 3;
}
} // namespace device_heap_lists_program
PROGRAM(device_heap_lists)

/* A block's reduction whose second stage has as many lanes as there are warps, by each of three
 * ways. */
namespace block_reduce_few_warps_program
{
__inline__ __device__ float warpSum(float v, unsigned mask, int width)
{
    for (int d = width / 2; d > 0; d /= 2)
        v += __shfl_down_sync(mask, v, d);
    return v;
}

__global__ void sums(const float *in, float *out)
{
    __shared__ float part[8];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
    float v = warpSum(in[threadIdx.x], 0xffffffffu, 32);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    if (threadIdx.x < warps) {
        unsigned mask = (1u << warps) - 1;
        v = warpSum(part[threadIdx.x], mask, warps);
        if (threadIdx.x == 0)
            out[0] = v;
    }
    unsigned few = __ballot_sync(0xffffffffu, lane < 4);
    if (warp == 1 && lane < 4) {
        v = part[lane] + part[lane + 4];
        v += __shfl_xor_sync(few, v, 2);
        v += __shfl_xor_sync(few, v, 1);
        if (lane == 0)
            out[1] = v;
    }
    if (warp == 2) {
        v = lane < warps ? part[lane] : 0.f;
        v = warpSum(v, 0xffffffffu, 32);
        if (lane == 0)
            out[2] = v;
    }
}

static int run()
{
    float h[256], r[3], *in, *out;
    for (int i = 0; i < 256; i++)
        h[i] = 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof r);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sums<<<1, 256>>>(in, out);
    cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
    return r[0] == 256 && r[1] == 256 && r[2] == 256 ? 0 : 3;
}
} // namespace block_reduce_few_warps_program
PROGRAM(block_reduce_few_warps)

/* A tree is walked with a local stack by a pointer, to its last slot; another with an index. */
namespace traversal_stack_program
{
struct Node {
    int left, right, value;
};

__global__ void walk(const Node *tree, int *out)
{
    int stack[4];
    int *top = stack;
    int sum = 0, deepest = 0;
    *top++ = 0;
    while (top > stack) {
        Node n = tree[*--top];
        sum += n.value;
        if (n.left >= 0)
            *top++ = n.left;
        if (n.right >= 0)
            *top++ = n.right;
        deepest = max(deepest, (int)(top - stack));
    }
    int again[4], used = 0, other = 0;
    again[used++] = 0;
    while (used) {
        int at = again[--used];
        other += tree[at].value;
        if (tree[at].right >= 0)
            again[used++] = tree[at].right;
        if (tree[at].left >= 0)
            again[used++] = tree[at].left;
    }
    out[threadIdx.x] = sum == other ? deepest : -1;
}

static int run()
{
    Node h[7] = {{1, 2, 1}, {-1, -1, 2}, {3, 4, 3},  {-1, -1, 4},
                 {5, 6, 5}, {-1, -1, 6}, {-1, -1, 7}},
         *tree;
    int *out, r;
    cudaMalloc(&tree, sizeof h);
    cudaMalloc(&out, 32 * 4);
    cudaMemcpy(tree, h, sizeof h, cudaMemcpyHostToDevice);
    walk<<<1, 32>>>(tree, out);
    cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost);
    return r == 4 ? 0 : 3;
}
} // namespace traversal_stack_program
PROGRAM(traversal_stack)

/* 72 KB of dynamic shared memory after the attribute; two uses of different type, a barrier
 * between. */
namespace large_shared_used_twice_program
{
__global__ void twice(const double *in, float *out, int n)
{
    extern __shared__ __align__(16) unsigned char room[];
    double *d = reinterpret_cast<double *>(room);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        d[i] = in[i];
    __syncthreads();
    double s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s += d[n - 1 - i];
    __syncthreads();
    float *f = reinterpret_cast<float *>(room);
    f[threadIdx.x] = (float)s;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) {
        if (threadIdx.x < k)
            f[threadIdx.x] += f[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = f[0];
}

static int run()
{
    const int n = 9216;
    static double h[n];
    for (double &v : h)
        v = 0.5;
    double *in;
    float *out, r;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, 4);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaFuncSetAttribute(twice, cudaFuncAttributeMaxDynamicSharedMemorySize, n * 8);
    twice<<<1, 128, n * 8>>>(in, out, n);
    cudaMemcpy(&r, out, 4, cudaMemcpyDeviceToHost);
    return r == n / 2 ? 0 : 3;
}
} // namespace large_shared_used_twice_program
PROGRAM(large_shared_used_twice)

/* A segmented scan in a warp by head flags; reductions of lanes with equal keys; all lanes
 * select. */
namespace segmented_scan_program
{
__global__ void scan(const int *head, const int *in, int *out, unsigned *same)
{
    int lane = threadIdx.x, v = in[lane];
    unsigned heads = __ballot_sync(~0u, head[lane]) | 1;
    int start = 31 - __clz(heads & (2u << lane) - 1);
    for (int d = 1; d < 32; d *= 2) {
        int up = __shfl_up_sync(~0u, v, d);
        v += lane - d >= start ? up : 0;
    }
    out[lane] = v;
    unsigned peers = __match_any_sync(~0u, start);
    unsigned most = __reduce_max_sync(peers, (unsigned)v);
    int all;
    __match_all_sync(peers, most, &all);
    same[lane] = all ? most : 0;
}

static int run()
{
    int head[32] = {}, in[32], r[32], *h, *i, *o;
    unsigned s[32], *d;
    head[5] = head[6] = head[20] = 1;
    for (int &v : in)
        v = 1;
    cudaMalloc(&h, 128);
    cudaMalloc(&i, 128);
    cudaMalloc(&o, 128);
    cudaMalloc(&d, 128);
    cudaMemcpy(h, head, 128, cudaMemcpyHostToDevice);
    cudaMemcpy(i, in, 128, cudaMemcpyHostToDevice);
    scan<<<1, 32>>>(h, i, o, d);
    cudaMemcpy(r, o, 128, cudaMemcpyDeviceToHost);
    cudaMemcpy(s, d, 128, cudaMemcpyDeviceToHost);
    return r[4] == 5 && r[5] == 1 && r[19] == 14 && r[31] == 12 && s[7] == 14 ? 0 : 3;
}
} // namespace segmented_scan_program
PROGRAM(segmented_scan)
