/* The run-time API: managed variables, registered memory, streams, callbacks, occupancy, pools. */
#include "constructs.h"
#include <string.h>

__managed__ int counter = 5, list[4] = {1, 2, 3, 4};
__managed__ int *where;

__global__ void use_managed(int *of_host)
{
    if (of_host != &counter)
        return;
    where = &list[1];
    list[threadIdx.x] *= 2;
    atomicAdd(&counter, 1);
}

__global__ void add(float *p, int n, float v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += v;
}

static int called;
static void by_callback(cudaStream_t, cudaError_t status, void *data)
{
    called += status == cudaSuccess ? *(int *)data : 1000;
}
static void by_stream(void *data) { called += *(int *)data; }

static void managed()
{
    int *heap;
    use_managed<<<1, 4>>>(&counter);
    cudaDeviceSynchronize();
    EXPECT(counter == 9 && list[0] == 2 && list[3] == 8);
    EXPECT(where == &list[1] && *where == 4);
    EXPECT(cudaMallocManaged(&heap, 8, 17) == cudaErrorInvalidValue);
    EXPECT(cudaMallocManaged(&heap, 8) == cudaSuccess);
    cudaPointerAttributes a;
    EXPECT(cudaPointerGetAttributes(&a, heap) == cudaSuccess);
    EXPECT(a.type == cudaMemoryTypeManaged && a.hostPointer == heap && a.devicePointer == heap);
    cudaGetLastError();
}

static void registered()
{
    static float in_program[64];
    float *p = in_program + 1, *on_device;
    EXPECT(cudaHostUnregister(p) == cudaErrorHostMemoryNotRegistered);
    EXPECT(cudaHostRegister(p, 50 * sizeof *p, cudaHostRegisterMapped) == cudaSuccess);
    EXPECT(cudaHostRegister(p + 49, 4, 0) == cudaErrorHostMemoryAlreadyRegistered);
    EXPECT(cudaHostGetDevicePointer(&on_device, p, 0) == cudaSuccess);
    add<<<2, 32>>>(on_device, 50, 2);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    EXPECT(p[-1] == 0 && p[0] == 2 && p[49] == 2 && p[50] == 0);
    EXPECT(cudaHostUnregister(p) == cudaSuccess);
    cudaGetLastError();
}

static void streams()
{
    int seven = 7, eight = 8, least, greatest, priority;
    cudaStream_t s;
    cudaEvent_t from, to;
    float ms = -1;
    EXPECT(cudaDeviceGetStreamPriorityRange(&least, &greatest) == cudaSuccess && greatest < least);
    EXPECT(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, greatest) == cudaSuccess);
    EXPECT(cudaStreamGetPriority(s, &priority) == cudaSuccess && priority == greatest);
    cudaEventCreate(&from);
    cudaEventCreateWithFlags(&to, cudaEventBlockingSync);
    EXPECT(cudaEventElapsedTime(&ms, from, to) == cudaErrorInvalidResourceHandle);
    cudaEventRecord(from, s);
    EXPECT(cudaStreamAddCallback(s, by_callback, &seven, 0) == cudaSuccess);
    EXPECT(cudaLaunchHostFunc(s, by_stream, &eight) == cudaSuccess);
    cudaEventRecord(to, s);
    EXPECT(cudaStreamWaitEvent(s, to) == cudaSuccess && cudaStreamSynchronize(s) == cudaSuccess);
    EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventElapsedTime(&ms, from, to) == cudaSuccess && ms >= 0);
    EXPECT(called == 15);
    cudaEventDestroy(from);
    cudaEventDestroy(to);
    EXPECT(cudaStreamDestroy(s) == cudaSuccess);
    EXPECT(cudaStreamDestroy(s) == cudaErrorInvalidResourceHandle);
    cudaGetLastError();
}

static size_t four_bytes_a_thread(int threads) { return (size_t)threads * 4; }

static void questions()
{
    int grid, block, blocks, value, can = 1;
    size_t bytes;
    cudaDeviceProp p;
    EXPECT(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add) == cudaSuccess);
    EXPECT(grid == 2 * 132 && block == 1024);
    EXPECT(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 256, 0) == cudaSuccess &&
           blocks == 8);
    EXPECT(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, add,
                                                          four_bytes_a_thread) == cudaSuccess);
    EXPECT(block == 1024);
    EXPECT(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 2, 256) == cudaSuccess &&
           bytes == 233472 / 2 - 1024);
    EXPECT(cudaGetDeviceProperties(&p, 0) == cudaSuccess && p.maxTexture2D[1] == 65536);
    EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrComputeMode, 0) == cudaSuccess && value == 0);
    EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrMaxPitch, 0) == cudaSuccess &&
           value == (int)p.memPitch);
    EXPECT(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaErrorInvalidDevice && can == 0);
    EXPECT(!strcmp(cudaGetErrorName((cudaError_t)719), "cudaErrorLaunchFailure"));
    EXPECT(!strcmp(cudaGetErrorString(cudaErrorInvalidPitchValue), "invalid pitch argument"));
    cudaGetLastError();
}

static void pools()
{
    cudaMemPool_t pool;
    cudaMemPoolProps how = {};
    uint64_t keep = 4096, kept = 0;
    float *p, *q;
    EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    EXPECT(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep) == cudaSuccess);
    EXPECT(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept) == cudaSuccess &&
           kept == keep);
    EXPECT(cudaMemPoolCreate(&pool, &how) == cudaSuccess);
    EXPECT(cudaMallocAsync(&p, 256, 0) == cudaSuccess);
    EXPECT(cudaMallocFromPoolAsync(&q, 256, pool, 0) == cudaSuccess && q != p);
    EXPECT(cudaFreeAsync(p, 0) == cudaSuccess && cudaFreeAsync(q, 0) == cudaSuccess);
    EXPECT(cudaMemPoolDestroy(pool) == cudaSuccess);
}

static void three_dimensions()
{
    char host[2][3][5], back[2][3][5] = {};
    for (int i = 0; i < 30; i++)
        ((char *)host)[i] = (char)i;
    cudaPitchedPtr p;
    cudaExtent all = make_cudaExtent(5, 3, 2);
    EXPECT(cudaMalloc3D(&p, all) == cudaSuccess && p.pitch >= 5);
    cudaMemcpy3DParms to = {}, from = {};
    to.srcPtr = make_cudaPitchedPtr(host, 5, 5, 3);
    to.dstPtr = p, to.extent = all, to.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&to) == cudaSuccess);
    from.srcPtr = p, from.srcPos = make_cudaPos(1, 1, 1);
    from.dstPtr = make_cudaPitchedPtr(back, 5, 5, 3);
    from.extent = make_cudaExtent(2, 2, 1), from.kind = cudaMemcpyDeviceToHost;
    EXPECT(cudaMemcpy3DAsync(&from) == cudaSuccess);
    EXPECT(back[0][0][0] == 21 && back[0][0][1] == 22 && back[0][1][1] == 27 && !back[0][2][0]);
}

int main()
{
    managed();
    registered();
    streams();
    questions();
    pools();
    three_dimensions();
    return failures != 0;
}
