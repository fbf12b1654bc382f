// Graphs by hand and captured: each kind of node, child graphs, changes of executable graphs, queries.
#include <cstdio>
#include <cstdlib>

#define CALL(call)                                                                                 \
    do {                                                                                           \
        cudaError_t e_ = call;                                                                     \
        if (e_ != cudaSuccess)                                                                     \
            printf("line %d: %s\n", __LINE__, cudaGetErrorName(e_)), exit(1);                      \
    } while (0)
#define EXPECT(condition)                                                                          \
    do                                                                                             \
        if (!(condition))                                                                          \
            printf("line %d: not %s\n", __LINE__, #condition), exit(1);                            \
    while (0)

enum { N = 64 };

__global__ void add(int *p, int what) { p[threadIdx.x] += what; }

static int calls;
static void call(void *by) { calls += *(int *)by; }

/* The sum of N words of device memory. */
static int sum(const int *p)
{
    int host[N], all = 0;
    CALL(cudaMemcpy(host, p, sizeof host, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N; i++)
        all += host[i];
    return all;
}

static cudaKernelNodeParams launch_of(int **p, int *what, void **arguments)
{
    arguments[0] = p, arguments[1] = what;
    cudaKernelNodeParams k = {};
    k.func = (void *)add, k.gridDim = dim3(1), k.blockDim = dim3(N), k.kernelParams = arguments;
    return k;
}

static void by_hand(int *a, int *b)
{
    cudaGraph_t graph, child, clone;
    cudaGraphExec_t exec;
    cudaGraphNode_t set, kernel, copy, copy_3d, host, empty, inner, record, wait, found, list[16];
    cudaEvent_t event;
    int one = 1, three = 3, by = 5;
    void *arguments[2], *inner_arguments[2];
    CALL(cudaEventCreate(&event));
    CALL(cudaGraphCreate(&graph, 0));
    CALL(cudaGraphCreate(&child, 0));
    cudaMemsetParams fill = {};
    fill.dst = a, fill.elementSize = 4, fill.value = 7, fill.width = N, fill.height = 1;
    CALL(cudaGraphAddMemsetNode(&set, graph, NULL, 0, &fill));
    cudaKernelNodeParams k = launch_of(&a, &one, arguments);
    CALL(cudaGraphAddKernelNode(&kernel, graph, &set, 1, &k));
    CALL(cudaGraphAddMemcpyNode1D(&copy, graph, &kernel, 1, b, a, N * sizeof(int),
                                  cudaMemcpyDeviceToDevice));
    cudaHostNodeParams function = {call, &by};
    CALL(cudaGraphAddHostNode(&host, graph, &copy, 1, &function));
    CALL(cudaGraphAddEmptyNode(&empty, graph, &host, 1));
    CALL(cudaGraphAddEventRecordNode(&record, graph, &empty, 1, event));
    CALL(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, event));
    cudaKernelNodeParams inner_launch = launch_of(&b, &three, inner_arguments);
    CALL(cudaGraphAddKernelNode(&found, child, NULL, 0, &inner_launch));
    CALL(cudaGraphAddChildGraphNode(&inner, graph, &wait, 1, child));
    cudaMemcpy3DParms how = {};
    how.srcPtr = make_cudaPitchedPtr(b, N * sizeof(int), N, 1);
    how.dstPtr = make_cudaPitchedPtr(a, N * sizeof(int), N, 1);
    how.extent = make_cudaExtent(N * sizeof(int), 1, 1), how.kind = cudaMemcpyDeviceToDevice;
    CALL(cudaGraphAddMemcpyNode(&copy_3d, graph, NULL, 0, &how));
    CALL(cudaGraphAddDependencies(graph, &inner, &copy_3d, 1));
    a = b = NULL, one = three = 1000; /* the nodes have copies of the arguments */
    size_t count = 16;
    CALL(cudaGraphGetNodes(graph, list, &count));
    EXPECT(count == 9);
    count = 16;
    CALL(cudaGraphGetRootNodes(graph, list, &count));
    EXPECT(count == 1 && list[0] == set);
    count = 16;
    CALL(cudaGraphNodeGetDependencies(copy_3d, list, &count));
    EXPECT(count == 1 && list[0] == inner);
    cudaGraphNodeType type;
    CALL(cudaGraphNodeGetType(copy_3d, &type));
    EXPECT(type == cudaGraphNodeTypeMemcpy);
    CALL(cudaGraphKernelNodeGetParams(kernel, &k));
    EXPECT(k.func == (void *)add && k.blockDim.x == N);
    CALL(cudaGraphClone(&clone, graph));
    CALL(cudaGraphNodeFindInClone(&found, host, clone));
    CALL(cudaGraphDestroyNode(found));
    CALL(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    CALL(cudaGraphUpload(exec, 0));
    CALL(cudaGraphLaunch(exec, 0));
    CALL(cudaDeviceSynchronize());
    EXPECT(calls == 5);
    int *at = ((int **)k.kernelParams)[0] ? *(int **)k.kernelParams[0] : NULL;
    EXPECT(sum(at) == 11 * N); /* 7 + 1, copied, + 3, copied back */
    fill.value = 20, fill.dst = at;
    CALL(cudaGraphExecMemsetNodeSetParams(exec, set, &fill));
    int seven = 7;
    cudaHostNodeParams other = {call, &seven};
    CALL(cudaGraphExecHostNodeSetParams(exec, host, &other));
    CALL(cudaGraphNodeSetEnabled(exec, inner, 0));
    k = launch_of(&at, &seven, arguments);
    CALL(cudaGraphExecKernelNodeSetParams(exec, kernel, &k));
    CALL(cudaGraphLaunch(exec, 0));
    EXPECT(calls == 12 && sum(at) == 27 * N);
    CALL(cudaGraphKernelNodeSetParams(kernel, &k));
    cudaGraphExecUpdateResultInfo info;
    CALL(cudaGraphExecUpdate(exec, graph, &info));
    CALL(cudaGraphLaunch(exec, 0));
    EXPECT(calls == 17 && sum(at) == 17 * N); /* 7 + 7 + 3 */
    CALL(cudaGraphExecDestroy(exec));
    EXPECT(cudaGraphAddEmptyNode(&empty, graph, &found, 1) != cudaSuccess);
    EXPECT(cudaGraphAddMemFreeNode(&empty, graph, NULL, 0, NULL) == cudaErrorInvalidValue);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    CALL(cudaGraphDestroy(clone));
    CALL(cudaGraphDestroy(child));
    CALL(cudaGraphDestroy(graph));
    CALL(cudaEventDestroy(event));
}

static void captured(int *a, int *b)
{
    cudaStream_t s, other;
    cudaGraph_t graph, outer;
    cudaGraphExec_t exec, all;
    cudaEvent_t event;
    int by = 100, *memory;
    CALL(cudaStreamCreate(&s));
    CALL(cudaStreamCreate(&other));
    CALL(cudaEventCreate(&event));
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaMallocAsync(&memory, N * sizeof(int), s));
    CALL(cudaMemsetAsync(memory, 0, N * sizeof(int), s));
    add<<<1, N, 0, s>>>(memory, 2);
    CALL(cudaLaunchHostFunc(s, call, &by));
    CALL(cudaEventRecord(event, s));
    CALL(cudaStreamWaitEvent(other, event, 0));
    CALL(cudaMemset2DAsync(b, N * sizeof(int), 0, N * sizeof(int), 1, other));
    CALL(cudaEventRecord(event, other));
    CALL(cudaStreamWaitEvent(s, event, 0));
    cudaMemcpy3DParms how = {};
    how.srcPtr = make_cudaPitchedPtr(memory, N * sizeof(int), N, 1);
    how.dstPtr = make_cudaPitchedPtr(a, N * sizeof(int), N, 1);
    how.extent = make_cudaExtent(N * sizeof(int), 1, 1), how.kind = cudaMemcpyDeviceToDevice;
    CALL(cudaMemcpy3DAsync(&how, s));
    CALL(cudaMemcpyAsync(b, a, N * sizeof(int), cudaMemcpyDeviceToDevice, s));
    CALL(cudaEventRecordWithFlags(event, s, cudaEventRecordExternal));
    CALL(cudaFreeAsync(memory, s));
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *after;
    size_t count;
    CALL(cudaStreamGetCaptureInfo(s, &status, NULL, &graph, &after, &count));
    EXPECT(status == cudaStreamCaptureStatusActive && count == 1);
    CALL(cudaStreamEndCapture(s, &graph));
    CALL(cudaGraphInstantiate(&exec, graph, NULL, NULL, 0));
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaGraphLaunch(exec, s));
    add<<<1, N, 0, s>>>(b, 1);
    CALL(cudaStreamEndCapture(s, &outer));
    CALL(cudaGraphInstantiate(&all, outer, NULL, NULL, 0));
    for (int i = 1; i <= 2; i++) {
        CALL(cudaGraphLaunch(all, s));
        CALL(cudaStreamSynchronize(s));
        EXPECT(calls == i * 100 && sum(a) == 2 * N && sum(b) == 3 * N);
    }
    CALL(cudaGraphExecDestroy(all));
    CALL(cudaGraphExecDestroy(exec));
    CALL(cudaGraphDestroy(outer));
    CALL(cudaGraphDestroy(graph));
}

int main()
{
    int *a, *b;
    CALL(cudaMalloc(&a, N * sizeof(int)));
    CALL(cudaMalloc(&b, N * sizeof(int)));
    by_hand(a, b);
    calls = 0;
    captured(a, b);
    return 0;
}
