/* The run-time API: memory, streams, callbacks, graphs, textures. */
#include <string.h>
#include "constructs.h"

/* ---- runtime api ---- */

/* The run-time API: managed variables, registered memory, streams, callbacks, occupancy, pools. */
namespace runtime_api_
{
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

CONSTRUCT(runtime_api)
{
    managed();
    registered();
    streams();
    questions();
    pools();
    three_dimensions();
}
} // namespace runtime_api_

/* ---- graphs ---- */

/* Graphs: built by hand, captured, joined from two streams, cloned, changed, with memory nodes. */
namespace graphs_
{
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

CONSTRUCT(graphs)
{
    float *p;
    cudaMalloc(&p, 64 * sizeof *p);
    by_hand(p);
    captured(p);
    conditional(p);
}
} // namespace graphs_

/* ---- textures ---- */

/* Textures and surfaces: filters, address modes, element types, linear memory, layers. */
namespace textures_
{
enum { W = 8, H = 4, N = 32 };

__global__ void fetch_2d(cudaTextureObject_t t, float scale, float shift, float *out)
{
    int i = threadIdx.x;
    out[i] = tex2D<float>(t, (i % W) * scale + shift, (i / W) * scale + shift);
}
__global__ void gather(cudaTextureObject_t t, float4 *out)
{
    out[threadIdx.x] = tex2Dgather<float4>(t, threadIdx.x + 1.5f, 1.5f);
}
__global__ void fetch_1d(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1D<float>(t, ((int)threadIdx.x - 4) / 8.0f);
}
__global__ void fetch_bytes(cudaTextureObject_t t, float4 *out)
{
    out[threadIdx.x] = tex2D<float4>(t, threadIdx.x, 0);
}
__global__ void fetch_elements(cudaTextureObject_t t, int *out)
{
    int2 v;
    tex1Dfetch(&v, t, (int)threadIdx.x - 1);
    out[threadIdx.x] = v.x * 100 + v.y;
}
__global__ void layers(cudaTextureObject_t t, int *out)
{
    out[threadIdx.x] = tex2DLayered<int>(t, threadIdx.x % W, 1, threadIdx.x / W);
}
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x % W, y = threadIdx.x / W;
    short v = surf2Dread<short>(from, x * 2, y);
    surf2Dwrite((short)(v + surf2Dread<short>(from, -2, y, cudaBoundaryModeZero)), to, y * 2, x);
}

static cudaTextureObject_t texture_of(cudaArray_t a, cudaTextureFilterMode filter,
                                      cudaTextureAddressMode mode, int normalized,
                                      cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray, r.res.array.array = a;
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
    d.filterMode = filter, d.normalizedCoords = normalized, d.readMode = read;
    d.borderColor[0] = -5;
    cudaTextureObject_t t = 0;
    EXPECT(cudaCreateTextureObject(&t, &r, &d, nullptr) == cudaSuccess);
    return t;
}

static float got[4 * N];
static void *memory()
{
    static void *p;
    if (!p)
        cudaMalloc(&p, sizeof got);
    return p;
}
static float *take()
{
    EXPECT(cudaMemcpy(got, memory(), sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
    return got;
}

static void floats()
{
    float *out = (float *)memory(), squares[N];
    for (int i = 0; i < N; i++)
        squares[i] = (float)(i * i);
    cudaMemset(out, 0, sizeof got);
    cudaArray_t a, line;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    EXPECT(cudaMallocArray(&a, &f, W, H) == cudaSuccess);
    EXPECT(cudaMemcpy2DToArray(a, 0, 0, squares, W * 4, W * 4, H, cudaMemcpyHostToDevice) ==
           cudaSuccess);
    fetch_2d<<<1, N>>>(texture_of(a, cudaFilterModePoint, cudaAddressModeClamp, 0), 1, 0.9f, out);
    EXPECT(take()[9] == 81 && got[31] == 961);
    /* halfway between four texels, then past the edge */
    fetch_2d<<<1, N>>>(texture_of(a, cudaFilterModeLinear, cudaAddressModeClamp, 0), 1, 1, out);
    EXPECT(take()[0] == (0 + 1 + 64 + 81) / 4.0f && got[31] == 961);
    fetch_2d<<<1, N>>>(texture_of(a, cudaFilterModeLinear, cudaAddressModeBorder, 0), 1, 4, out);
    EXPECT(take()[31] == -5);
    fetch_2d<<<1, N>>>(texture_of(a, cudaFilterModePoint, cudaAddressModeWrap, 1), 1, 0.5f, out);
    EXPECT(take()[11] == 20 * 20);
    /* the first four elements of row 0, to row 1 from column 2 on */
    EXPECT(cudaMemcpy2DArrayToArray(a, 8, 1, a, 0, 0, 16, 1) == cudaSuccess);
    EXPECT(cudaMemcpy2DArrayToArray(a, 8, 4, a, 0, 0, 16, 1) == cudaErrorInvalidValue);
    cudaGetLastError();
    gather<<<1, 2>>>(texture_of(a, cudaFilterModePoint, cudaAddressModeClamp, 0), (float4 *)out);
    EXPECT(take()[0] == 17 * 17 && got[1] == 18 * 18 && got[2] == 0 && got[3] == 81);
    EXPECT(got[4] == 18 * 18 && got[5] == 19 * 19 && got[6] == 1 && got[7] == 0);
    EXPECT(cudaMallocArray(&line, &f, 8) == cudaSuccess);
    cudaMemcpyToArray(line, 0, 0, squares, 32, cudaMemcpyHostToDevice);
    fetch_1d<<<1, N>>>(texture_of(line, cudaFilterModePoint, cudaAddressModeMirror, 1), out);
    EXPECT(take()[3] == 0 && got[0] == 9 && got[4] == 0 && got[11] == 49 && got[12] == 49);
    fetch_1d<<<1, N>>>(texture_of(line, cudaFilterModeLinear, cudaAddressModeWrap, 1), out);
    EXPECT(take()[4] == 24.5f && got[5] == 0.5f);
    EXPECT(cudaFreeArray(a) == cudaSuccess && cudaFreeArray(line) == cudaSuccess);
}

static void whole_numbers()
{
    cudaArray_t a, b, stack;
    unsigned char bytes[W * 4] = {0, 51, 255, 102};
    cudaChannelFormatDesc f = cudaCreateChannelDesc<uchar4>(), s = cudaCreateChannelDesc<short>(),
                          i = cudaCreateChannelDesc<int>();
    cudaMallocArray(&a, &f, W, 1);
    cudaMemcpy2DToArray(a, 0, 0, bytes, W * 4, W * 4, 1, cudaMemcpyHostToDevice);
    fetch_bytes<<<1, 2>>>(
        texture_of(a, cudaFilterModeLinear, cudaAddressModeClamp, 0, cudaReadModeNormalizedFloat),
        (float4 *)memory());
    EXPECT(take()[1] == 0.2f && got[2] == 1 && got[3] == 0.4f);
    cudaTextureObject_t none;
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray, r.res.array.array = a;
    cudaTextureDesc d = {};
    d.filterMode = cudaFilterModeLinear;
    EXPECT(cudaCreateTextureObject(&none, &r, &d, nullptr) == cudaErrorInvalidFilterSetting);
    cudaGetLastError();

    /* a surface, transposed */
    short in[H][W], turned[W][H];
    for (int k = 0; k < N; k++)
        in[k / W][k % W] = (short)(k - 10);
    cudaMallocArray(&a, &s, W, H, cudaArraySurfaceLoadStore);
    cudaMallocArray(&b, &s, H, W, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(a, 0, 0, in, W * 2, W * 2, H, cudaMemcpyHostToDevice);
    cudaSurfaceObject_t from, to;
    r.res.array.array = a;
    EXPECT(cudaCreateSurfaceObject(&from, &r) == cudaSuccess);
    r.res.array.array = b;
    EXPECT(cudaCreateSurfaceObject(&to, &r) == cudaSuccess);
    turn<<<1, N>>>(from, to);
    cudaMemcpy2DFromArray(turned, H * 2, b, 0, 0, H * 2, W, cudaMemcpyDeviceToHost);
    for (int k = 0; k < N; k++)
        EXPECT(turned[k % W][k / W] == k - 10);

    /* three layers of 8 x 2 */
    int layer[3][2][W];
    for (int k = 0; k < 48; k++)
        ((int *)layer)[k] = k;
    cudaMalloc3DArray(&stack, &i, make_cudaExtent(W, 2, 3), cudaArrayLayered);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(layer, W * 4, W, 2), p.dstArray = stack;
    p.extent = make_cudaExtent(W, 2, 3), p.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&p) == cudaSuccess);
    layers<<<1, 3 * W>>>(texture_of(stack, cudaFilterModePoint, cudaAddressModeClamp, 0),
                         (int *)memory());
    take();
    EXPECT(((int *)got)[10] == 16 + 8 + 2 && ((int *)got)[23] == 47);
}

static void linear_memory()
{
    int pairs[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *p;
    cudaMalloc(&p, sizeof pairs);
    cudaMemcpy(p, pairs, sizeof pairs, cudaMemcpyHostToDevice);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear, r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<int2>(), r.res.linear.sizeInBytes = sizeof pairs;
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    EXPECT(cudaCreateTextureObject(&t, &r, &d, nullptr) == cudaSuccess);
    fetch_elements<<<1, 6>>>(t, (int *)memory());
    take();
    EXPECT(((int *)got)[0] == 0 && ((int *)got)[1] == 102 && ((int *)got)[4] == 708);
    EXPECT(((int *)got)[5] == 0);
}

CONSTRUCT(textures)
{
    floats();
    whole_numbers();
    linear_memory();
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
}
} // namespace textures_
