/* Graphs: built by hand, captured, joined from two streams, cloned, changed, with memory nodes. */
#include "constructs.h"

__global__ void add(float *p, int n, float v)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += v;
}
__global__ void twice(float *p) { p[threadIdx.x] *= 2; }

static float result[64];
static int calls;
static void count(void *by) { calls += *(int *)by; }

static float first(float *p)
{
    float v = 0;
    cudaMemcpy(&v, p, sizeof v, cudaMemcpyDeviceToHost);
    return v;
}

/* Edges decide, not the order in which nodes were added: (0 + 3) * 2. */
static void by_hand(float *p)
{
    cudaGraph_t g, copy;
    cudaGraphExec_t x;
    cudaGraphNode_t clear, plus, times, back, call, in_copy;
    int n = 64, one = 1;
    float v = 3;
    cudaMemsetParams zeros = {};
    zeros.dst = p, zeros.elementSize = 4, zeros.width = 64, zeros.height = 1;
    void *add_arguments[] = {&p, &n, &v}, *twice_arguments[] = {&p};
    cudaKernelNodeParams k = {};
    EXPECT(cudaGraphCreate(&g, 0) == cudaSuccess);
    k.func = (void *)twice, k.gridDim = dim3(1), k.blockDim = dim3(64);
    k.kernelParams = twice_arguments;
    EXPECT(cudaGraphAddKernelNode(&times, g, nullptr, 0, &k) == cudaSuccess);
    EXPECT(cudaGraphAddMemsetNode(&clear, g, nullptr, 0, &zeros) == cudaSuccess);
    k.func = (void *)add, k.gridDim = dim3(2), k.blockDim = dim3(32);
    k.kernelParams = add_arguments;
    EXPECT(cudaGraphAddKernelNode(&plus, g, &clear, 1, &k) == cudaSuccess);
    v = 1000; /* arguments are taken when the node is made */
    EXPECT(cudaGraphAddMemcpyNode1D(&back, g, &times, 1, result, p, sizeof result,
                                    cudaMemcpyDeviceToHost) == cudaSuccess);
    cudaHostNodeParams function = {count, &one};
    EXPECT(cudaGraphAddHostNode(&call, g, &back, 1, &function) == cudaSuccess);
    EXPECT(cudaGraphAddDependencies(g, &plus, &times, 1) == cudaSuccess);
    size_t nodes = 0;
    EXPECT(cudaGraphGetNodes(g, nullptr, &nodes) == cudaSuccess && nodes == 5);
    EXPECT(cudaGraphInstantiate(&x, g) == cudaSuccess);
    EXPECT(cudaGraphLaunch(x, 0) == cudaSuccess && cudaGraphLaunch(x, 0) == cudaSuccess);
    EXPECT(result[0] == 6 && result[63] == 6 && calls == 2);
    v = 4;
    EXPECT(cudaGraphExecKernelNodeSetParams(x, plus, &k) == cudaSuccess);
    EXPECT(cudaGraphLaunch(x, 0) == cudaSuccess && result[0] == 8);
    EXPECT(cudaGraphNodeSetEnabled(x, times, 0) == cudaSuccess);
    EXPECT(cudaGraphLaunch(x, 0) == cudaSuccess && result[0] == 4);
    EXPECT(cudaGraphExecDestroy(x) == cudaSuccess);
    EXPECT(cudaGraphClone(&copy, g) == cudaSuccess && cudaGraphDestroy(g) == cudaSuccess);
    EXPECT(cudaGraphInstantiateWithFlags(&x, copy, 0) == cudaSuccess);
    EXPECT(cudaGraphLaunch(x, 0) == cudaSuccess && result[0] == 6);
    EXPECT(cudaGraphNodeFindInClone(&in_copy, times, copy) == cudaSuccess);
    EXPECT(cudaGraphDestroyNode(in_copy) == cudaSuccess);
    cudaGraphExecUpdateResultInfo info;
    EXPECT(cudaGraphExecUpdate(x, copy, &info) == cudaErrorGraphExecUpdateFailure);
    cudaGetLastError();
    cudaGraphExecDestroy(x);
    cudaGraphDestroy(copy);
}

static void captured(float *p)
{
    cudaStream_t s, other;
    cudaEvent_t forked, joined;
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaStreamCaptureStatus status;
    cudaStreamCreate(&s);
    cudaStreamCreate(&other);
    cudaEventCreate(&forked);
    cudaEventCreate(&joined);
    cudaMemset(p, 0, 64 * sizeof *p);
    EXPECT(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal) == cudaSuccess);
    for (int i = 1; i <= 3; i++)
        add<<<2, 32, 0, s>>>(p, 64, (float)i);
    cudaEventRecord(forked, s);
    cudaStreamWaitEvent(other, forked, 0);
    twice<<<1, 64, 0, other>>>(p);
    EXPECT(cudaStreamIsCapturing(other, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusActive);
    cudaEventRecord(joined, other);
    cudaStreamWaitEvent(s, joined, 0);
    float *scratch;
    EXPECT(cudaMallocAsync(&scratch, 256, s) == cudaSuccess);
    cudaMemcpyAsync(scratch, p, 256, cudaMemcpyDeviceToDevice, s);
    twice<<<1, 64, 0, s>>>(scratch);
    cudaMemcpyAsync(result, scratch, 256, cudaMemcpyDeviceToHost, s);
    EXPECT(cudaFreeAsync(scratch, s) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(s) == cudaErrorStreamCaptureUnsupported);
    cudaGetLastError();
    EXPECT(cudaStreamEndCapture(s, &g) == cudaSuccess);
    EXPECT(cudaStreamIsCapturing(other, &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusNone);
    EXPECT(first(p) == 0); /* nothing has run */
    EXPECT(cudaGraphInstantiate(&x, g, nullptr, nullptr, 0) == cudaSuccess);
    EXPECT(cudaGraphLaunch(x, s) == cudaSuccess && first(p) == 12 && result[5] == 24);
    EXPECT(cudaGraphLaunch(x, s) == cudaSuccess && first(p) == 36 && result[5] == 72);
    EXPECT(cudaStreamEndCapture(s, &g) == cudaErrorStreamCaptureUnmatched);
    cudaGetLastError();
}

__global__ void choose(const float *p, cudaGraphConditionalHandle h)
{
    cudaGraphSetConditional(h, p[0] < 40);
}

/* p[0] is doubled while it is less than 40; then 1 or 2 is added, by what a switch says. */
static void conditional(float *p)
{
    cudaGraph_t g;
    cudaGraphExec_t x;
    cudaGraphNode_t loop, last;
    cudaGraphConditionalHandle less, which;
    cudaStream_t s;
    cudaStreamCreate(&s);
    EXPECT(cudaGraphCreate(&g, 0) == cudaSuccess);
    EXPECT(cudaGraphConditionalHandleCreate(&less, g, 1, cudaGraphCondAssignDefault) == 0);
    EXPECT(cudaGraphConditionalHandleCreate(&which, g, 1, cudaGraphCondAssignDefault) == 0);
    cudaGraphNodeParams c = {cudaGraphNodeTypeConditional};
    c.conditional.handle = less;
    c.conditional.type = cudaGraphCondTypeWhile;
    c.conditional.size = 1;
    EXPECT(cudaGraphAddNode(&loop, g, nullptr, 0, &c) == cudaSuccess);
    cudaGraph_t body = c.conditional.phGraph_out[0];
    EXPECT(cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0,
                                         cudaStreamCaptureModeGlobal) == cudaSuccess);
    twice<<<1, 64, 0, s>>>(p);
    choose<<<1, 1, 0, s>>>(p, less);
    EXPECT(cudaStreamEndCapture(s, nullptr) == cudaSuccess);
    c.conditional.handle = which;
    c.conditional.type = cudaGraphCondTypeSwitch;
    c.conditional.size = 2;
    EXPECT(cudaGraphAddNode(&last, g, &loop, nullptr, 1, &c) == cudaSuccess);
    for (int i = 0; i < 2; i++) {
        int n = 64;
        float more = (float)(i + 1);
        void *arguments[] = {&p, &n, &more};
        cudaGraphNodeParams k = {cudaGraphNodeTypeKernel};
        k.kernel.func = (void *)add;
        k.kernel.gridDim = dim3(1);
        k.kernel.blockDim = dim3(64);
        k.kernel.kernelParams = arguments;
        cudaGraphNode_t node;
        EXPECT(cudaGraphAddNode(&node, c.conditional.phGraph_out[i], nullptr, 0, &k) == 0);
    }
    EXPECT(cudaGraphInstantiate(&x, g, 0) == cudaSuccess && cudaGraphDestroy(g) == cudaSuccess);
    float three = 3;
    cudaMemcpy(p, &three, sizeof three, cudaMemcpyHostToDevice);
    EXPECT(cudaGraphLaunch(x, 0) == cudaSuccess && first(p) == 48 + 2);
    EXPECT(cudaGraphLaunch(x, 0) == cudaSuccess && first(p) == 100 + 2);
    EXPECT(cudaGraphExecDestroy(x) == cudaSuccess);
}

int main()
{
    float *p;
    cudaMalloc(&p, 64 * sizeof *p);
    by_hand(p);
    captured(p);
    conditional(p);
    return failures != 0;
}
