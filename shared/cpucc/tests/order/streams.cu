/* Order between streams: kernels, copies, fills, events, graphs. */
#include "order.h"

static cudaStream_t stream(unsigned flags = cudaStreamNonBlocking)
{
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, flags);
    return s;
}
static cudaEvent_t recorded_in(cudaStream_t s)
{
    cudaEvent_t e;
    cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
    cudaEventRecord(e, s);
    return e;
}
__global__ void add_one(int *a) { a[threadIdx.x] += 1; }
__global__ void copy_of(const int *a, int *b) { b[threadIdx.x] = a[threadIdx.x]; }

CASE(parts_of_one_array)
{
    int *a = ints(128);
    for (int i = 0; i < 4; i++)
        add_one<<<1, 32, 0, stream()>>>(a + 32 * i);
    cudaDeviceSynchronize();
    add_one<<<1, 128>>>(a);
}

/* FAULT: race_read_after_write, race_write_after_write */
__global__ void no_default(int *a) { a[threadIdx.x] *= 3; }
CASE(blocking_streams_without_the_default)
{
    int *a = ints(32);
    add_one<<<1, 32, 0, stream(cudaStreamDefault)>>>(a);
    no_default<<<1, 32, 0, stream(cudaStreamDefault)>>>(a);
}

__global__ void too_soon(const int *a, int *b)
{
    b[threadIdx.x] = a[threadIdx.x]; /* FAULT: race_read_after_write */
}
CASE(used_before_it_has_come)
{
    int *a = ints(32), *b = ints(32), *h;
    cudaMallocHost(&h, 128);
    cudaStream_t s = stream(), t = stream();
    cudaMemcpyAsync(a, h, 128, cudaMemcpyHostToDevice, s);
    too_soon<<<1, 32, 0, t>>>(a, b);
    cudaDeviceSynchronize();
}

__global__ void counts(int *a) { atomicAdd(a, 1); } /* FAULT: race_write_after_read */
CASE(cleared_beside_the_kernel)
{
    int *a = ints(32);
    cudaStream_t s = stream(), t = stream();
    cudaMemsetAsync(a, 0, 128, s);
    counts<<<1, 32, 0, t>>>(a);
}

CASE(double_buffer_of_two_streams)
{
    enum { N = 32, ROUNDS = 6 };
    int *h, *d[2];
    cudaMallocHost(&h, ROUNDS * N * 4);
    cudaStream_t copies = stream(), kernels = stream();
    cudaEvent_t free_[2] = {}, full;
    for (int i = 0; i < 2; i++)
        d[i] = ints(N);
    for (int i = 0; i < ROUNDS; i++) {
        if (free_[i % 2])
            cudaStreamWaitEvent(copies, free_[i % 2], 0);
        cudaMemcpyAsync(d[i % 2], h + i * N, N * 4, cudaMemcpyHostToDevice, copies);
        full = recorded_in(copies);
        cudaStreamWaitEvent(kernels, full, 0);
        add_one<<<1, N, 0, kernels>>>(d[i % 2]);
        cudaMemcpyAsync(h + i * N, d[i % 2], N * 4, cudaMemcpyDeviceToHost, kernels);
        free_[i % 2] = recorded_in(kernels);
    }
    cudaStreamSynchronize(kernels);
}

__global__ void producer(int *data, int *flag)
{
    *data = 5;
    __threadfence();
    atomicExch(flag, 1);
}
__global__ void consumer(const int *data, int *flag, int *out)
{
    while (atomicAdd(flag, 0) == 0)
        ;
    __threadfence();
    *out = *data;
}
CASE(flag_between_kernels)
{
    int *data = ints(1), *flag = ints(1), *out = ints(1);
    cudaStream_t s = stream(), t = stream();
    producer<<<1, 1, 0, s>>>(data, flag);
    consumer<<<1, 1, 0, t>>>(data, flag, out);
    cudaDeviceSynchronize();
}

CASE(graph_with_two_branches)
{
    int *a = ints(32), *b = ints(32), *c = ints(32), h[32];
    cudaStream_t s = stream(), t = stream();
    cudaGraph_t graph;
    cudaGraphExec_t x;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add_one<<<1, 32, 0, s>>>(a);
    cudaStreamWaitEvent(t, recorded_in(s), 0);
    copy_of<<<1, 32, 0, t>>>(a, b);
    copy_of<<<1, 32, 0, s>>>(a, c);
    cudaStreamWaitEvent(s, recorded_in(t), 0);
    add_one<<<1, 32, 0, s>>>(b);
    add_one<<<1, 32, 0, s>>>(c);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&x, graph, 0);
    for (int i = 0; i < 3; i++)
        cudaGraphLaunch(x, s);
    cudaMemcpyAsync(h, b, sizeof h, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
}

/* FAULT: race_read_after_write, race_write_after_write */
__global__ void branch(int *a) { a[threadIdx.x] *= 2; }
CASE(graph_with_a_branch_too_many)
{
    int *a = ints(32);
    cudaStream_t s = stream(), t = stream();
    cudaGraph_t graph;
    cudaGraphExec_t x;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaStreamWaitEvent(t, recorded_in(s), 0);
    add_one<<<1, 32, 0, s>>>(a);
    branch<<<1, 32, 0, t>>>(a);
    cudaStreamWaitEvent(s, recorded_in(t), 0);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&x, graph, 0);
    cudaGraphLaunch(x, s);
    cudaStreamSynchronize(s);
}

CASE(freed_in_a_stream)
{
    cudaStream_t s = stream();
    int *a, *b;
    cudaMallocAsync(&a, 128, s);
    cudaMemsetAsync(a, 0, 128, s);
    add_one<<<1, 32, 0, s>>>(a);
    cudaFreeAsync(a, s);
    cudaMallocAsync(&b, 128, s);
    cudaMemsetAsync(b, 0, 128, s);
    add_one<<<1, 32, 0, s>>>(b);
    cudaFreeAsync(b, s);
    cudaStreamSynchronize(s);
}
