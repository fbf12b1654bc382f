/* Correct programs as students and authors of libraries write them. */
#include "../order/order.h"
#include <cstdlib>
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
