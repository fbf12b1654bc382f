/* Several devices: CPUCC_DEVICES=4 */
#include <cuda_runtime.h>
#include <stdint.h>
#include <string.h>
#include "constructs.h"

enum { DEVICES = 4, N = 64 };
__device__ int counter = 5;
__constant__ int factor = 1;

__global__ void fill(int *p, int value) { p[threadIdx.x] = value * factor; }
__global__ void count(int *p) { p[0] = ++counter; }
__global__ void many_bytes() {}

static int *ints_of(int d)
{
    int *p;
    cudaSetDevice(d);
    cudaMalloc(&p, N * sizeof(int));
    cudaMemset(p, 0, N * sizeof(int));
    return p;
}

static int first_of(const int *p)
{
    int value = -1;
    cudaMemcpy(&value, p, sizeof value, cudaMemcpyDefault);
    return value;
}

CONSTRUCT(numbers)
{
    int n, d, value;
    char bus[20];
    cudaDeviceProp prop;
    EXPECT(cudaGetDeviceCount(&n) == cudaSuccess && n == DEVICES);
    EXPECT(cudaSetDevice(3) == cudaSuccess && cudaGetDevice(&d) == cudaSuccess && d == 3);
    EXPECT(cudaSetDevice(4) == cudaErrorInvalidDevice &&
           cudaSetDevice(-1) == cudaErrorInvalidDevice);
    EXPECT(cudaGetDevice(&d) == cudaSuccess && d == 3);
    EXPECT(cudaGetDeviceProperties(&prop, 3) == cudaSuccess);
    EXPECT(cudaGetDeviceProperties(&prop, 4) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 2) == cudaSuccess && value == 32);
    EXPECT(cudaDeviceGetPCIBusId(bus, sizeof bus, 2) == cudaSuccess);
    EXPECT(cudaDeviceGetByPCIBusId(&d, bus) == cudaSuccess && d == 2);
    cudaGetLastError();
}

CONSTRUCT(peer_access)
{
    int can = 7;
    cudaSetDevice(0);
    EXPECT(cudaDeviceCanAccessPeer(&can, 0, 1) == cudaSuccess && can == 1);
    EXPECT(cudaDeviceCanAccessPeer(&can, 2, 2) == cudaSuccess && can == 0);
    EXPECT(cudaDeviceCanAccessPeer(&can, 0, 4) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceEnablePeerAccess(0, 0) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceEnablePeerAccess(4, 0) == cudaErrorInvalidDevice);
    EXPECT(cudaDeviceEnablePeerAccess(1, 1) == cudaErrorInvalidValue);
    EXPECT(cudaDeviceDisablePeerAccess(1) == cudaErrorPeerAccessNotEnabled);
    EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaSuccess);
    EXPECT(cudaDeviceEnablePeerAccess(1, 0) == cudaErrorPeerAccessAlreadyEnabled);
    EXPECT(cudaGetLastError() == cudaErrorPeerAccessAlreadyEnabled);
    cudaSetDevice(1); /* access in one direction only */
    EXPECT(cudaDeviceDisablePeerAccess(0) == cudaErrorPeerAccessNotEnabled);
    cudaSetDevice(0);
    EXPECT(cudaDeviceDisablePeerAccess(1) == cudaSuccess);
    EXPECT(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 0, 1) == cudaSuccess &&
           can == 1);
    EXPECT(cudaDeviceGetP2PAttribute(&can, cudaDevP2PAttrAccessSupported, 1, 1) ==
           cudaErrorInvalidDevice);
    cudaGetLastError();
}

CONSTRUCT(memory)
{
    size_t before[DEVICES], after, total;
    for (int d = 0; d < DEVICES; d++) {
        cudaSetDevice(d);
        EXPECT(cudaMemGetInfo(&before[d], &total) == cudaSuccess);
    }
    cudaSetDevice(2);
    int *p;
    EXPECT(cudaMalloc(&p, 1 << 20) == cudaSuccess);
    cudaPointerAttributes a;
    cudaSetDevice(0);
    EXPECT(cudaPointerGetAttributes(&a, p + 5) == cudaSuccess && a.device == 2);
    EXPECT(a.type == cudaMemoryTypeDevice);
    for (int d = 0; d < DEVICES; d++) {
        cudaSetDevice(d);
        cudaMemGetInfo(&after, &total);
        EXPECT(before[d] - after == (d == 2 ? 1 << 20 : 0));
    }
    cudaSetDevice(1);
    EXPECT(cudaFree(p) == cudaSuccess); /* any device may be active */
}

CONSTRUCT(copies)
{
    int *a = ints_of(0), *b = ints_of(1), *c = ints_of(2);
    cudaSetDevice(0);
    fill<<<1, N>>>(a, 42);
    EXPECT(cudaMemcpyPeer(b, 1, a, 0, N * sizeof(int)) == cudaSuccess && first_of(b) == 42);
    EXPECT(cudaMemcpy(c, b, N * sizeof(int), cudaMemcpyDefault) == cudaSuccess &&
           first_of(c) == 42);
    EXPECT(cudaMemcpyPeer(b, 1, a, 4, 4) == cudaErrorInvalidDevice);
    EXPECT(cudaMemcpyPeer(b, 2, a, 0, 4) == cudaErrorInvalidValue);
    cudaGetLastError();
    cudaStream_t s;
    cudaSetDevice(3);
    cudaStreamCreate(&s);
    EXPECT(cudaMemcpyPeerAsync(c, 2, a, 0, 4, s) == cudaSuccess);
    cudaSetDevice(0); /* the active device need not be the stream's */
    EXPECT(cudaMemcpyAsync(c, a, 4, cudaMemcpyDeviceToDevice, s) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(s) == cudaSuccess);
}

CONSTRUCT(streams_and_events)
{
    int d;
    float ms;
    int *p = ints_of(1);
    cudaStream_t s;
    cudaEvent_t e, f;
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    EXPECT(cudaStreamGetDevice(s, &d) == cudaSuccess && d == 1);
    fill<<<1, N, 0, s>>>(p, 1);
    EXPECT(cudaGetLastError() == cudaSuccess);
    EXPECT(cudaEventRecord(e, s) == cudaSuccess && cudaEventSynchronize(e) == cudaSuccess);
    cudaSetDevice(0);
    fill<<<1, N, 0, s>>>(p, 2);
    EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle);
    EXPECT(first_of(p) == 1);
    cudaEventCreate(&f);
    EXPECT(cudaEventRecord(f, s) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventRecord(e, 0) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaEventRecord(f, 0) == cudaSuccess);
    EXPECT(cudaEventElapsedTime(&ms, e, f) == cudaErrorInvalidResourceHandle);
    EXPECT(cudaStreamWaitEvent(0, e, 0) == cudaSuccess &&
           cudaStreamWaitEvent(s, f, 0) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(s) == cudaSuccess);
    cudaGetLastError();
}

CONSTRUCT(variables)
{
    int value;
    for (int d = 0; d < DEVICES; d++) {
        int *p = ints_of(d), ten = 10 + d;
        EXPECT(cudaMemcpyToSymbol(factor, &ten, sizeof ten) == cudaSuccess);
        for (int i = 0; i <= d; i++)
            count<<<1, 1>>>(p);
        EXPECT(first_of(p) == 6 + d);
    }
    for (int d = 0; d < DEVICES; d++) {
        int *p = ints_of(d);
        fill<<<1, N>>>(p, 1);
        EXPECT(first_of(p) == 10 + d);
        EXPECT(cudaMemcpyFromSymbol(&value, counter, sizeof value) == cudaSuccess &&
               value == 6 + d);
        value = 1;
        cudaMemcpyToSymbol(factor, &value, sizeof value);
    }
}

/* A graph runs each node on the device where it was captured. */
CONSTRUCT(graph_of_two_devices)
{
    int *a = ints_of(0), *b = ints_of(1);
    cudaStream_t s, t;
    cudaEvent_t begun, done;
    cudaGraph_t graph;
    cudaGraphExec_t run;
    cudaStreamCreate(&t);
    cudaEventCreate(&done);
    cudaSetDevice(0);
    cudaStreamCreate(&s);
    cudaEventCreate(&begun);
    EXPECT(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed) == cudaSuccess);
    fill<<<1, N, 0, s>>>(a, 3);
    cudaMemcpyPeerAsync(b, 1, a, 0, 4, s);
    cudaEventRecord(begun, s);
    cudaStreamWaitEvent(t, begun, 0);
    cudaSetDevice(1);
    count<<<1, 1, 0, t>>>(b + 1);
    cudaEventRecord(done, t);
    cudaStreamWaitEvent(s, done, 0);
    EXPECT(cudaStreamEndCapture(s, &graph) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&run, graph, 0) == cudaSuccess);
    EXPECT(first_of(b) == 0);
    cudaSetDevice(0);
    EXPECT(cudaGraphLaunch(run, s) == cudaSuccess && cudaStreamSynchronize(s) == cudaSuccess);
    int value, device;
    EXPECT(first_of(b) == 3 && cudaGetDevice(&device) == cudaSuccess && device == 0);
    cudaMemcpyFromSymbol(&value, counter, sizeof value);
    EXPECT(value == 6); /* of device 0, which did not count */
}

/* The limit of dynamic shared memory is set for each device. */
CONSTRUCT(function_attributes)
{
    cudaSetDevice(0);
    EXPECT(cudaFuncSetAttribute(many_bytes, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000) ==
           cudaSuccess);
    many_bytes<<<1, 1, 100000>>>();
    EXPECT(cudaGetLastError() == cudaSuccess);
    cudaSetDevice(1);
    many_bytes<<<1, 1, 100000>>>();
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
}

/* Memory of a pool is open to the devices that the pool names. */
CONSTRUCT(pools)
{
    cudaMemPool_t pool;
    cudaMemAccessFlags flags;
    cudaMemAccessDesc who = {{cudaMemLocationTypeDevice, 1}, cudaMemAccessFlagsProtReadWrite};
    int *p;
    cudaSetDevice(0);
    EXPECT(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
    EXPECT(cudaMemPoolSetAccess(pool, &who, 1) == cudaSuccess);
    EXPECT(cudaMemPoolGetAccess(&flags, pool, &who.location) == cudaSuccess &&
           flags == cudaMemAccessFlagsProtReadWrite);
    EXPECT(cudaMallocAsync(&p, N * sizeof(int), 0) == cudaSuccess);
    cudaDeviceSynchronize();
    cudaSetDevice(1);
    fill<<<1, N>>>(p, 9);
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && first_of(p) == 9);
}
