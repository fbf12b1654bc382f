/* Whole programs that look dangerous and are correct: memory and values. */
#include "../order/order.h"
#include <cstdlib>

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
