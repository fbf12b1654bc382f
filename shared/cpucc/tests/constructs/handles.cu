// What each call of the run-time API returns for null and destroyed handles and pointers. For null
// the errors are an H200's (driver 580), unless CUDA's library crashes or accepts the call. For
// destroyed handles they are those that the documentation gives for invalid ones. ./handles runs
// each row in a process of its own and prints the rows that differ; ./handles N runs row N alone,
// for a GPU.
#include <cublas_v2.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static cudaStream_t stream, no_stream;
static cudaEvent_t event, no_event;
static cudaGraph_t graph, no_graph;
static cudaGraphNode_t node, no_node;
static cudaGraphExec_t exec, no_exec;
static cudaArray_t array, no_array;
static cudaMipmappedArray_t mipmap, no_mipmap;
static cudaTextureObject_t texture, no_texture;
static cudaMemPool_t pool, no_pool;
static cublasHandle_t blas, no_blas;
static float *memory, *no_memory;
static float host[64];
static cudaChannelFormatDesc format = {32, 0, 0, 0, cudaChannelFormatKindFloat};
static cudaResourceDesc resource;
static cudaTextureDesc how;

__global__ void kernel() {}
__device__ float variable[4];

static void nothing(void *) {}

static cudaResourceDesc of_array(cudaArray_t a)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray;
    r.res.array.array = a;
    return r;
}

// Makes one object of each kind, and one that is destroyed.
static void make_objects(void)
{
    for (int last = 0; last < 2; last++) {
        cudaStreamCreate(last ? &stream : &no_stream);
        cudaEventCreate(last ? &event : &no_event);
        cudaGraphCreate(last ? &graph : &no_graph, 0);
        cudaGraphAddEmptyNode(last ? &node : &no_node, last ? graph : no_graph, NULL, 0);
        cudaGraphInstantiate(last ? &exec : &no_exec, last ? graph : no_graph, 0);
        cudaMallocArray(last ? &array : &no_array, &format, 8, 8);
        cudaMallocMipmappedArray(last ? &mipmap : &no_mipmap, &format, {8, 8, 0}, 2);
        resource = of_array(last ? array : no_array);
        cudaCreateTextureObject(last ? &texture : &no_texture, &resource, &how, NULL);
        cudaMemPoolProps p = {};
        p.allocType = cudaMemAllocationTypePinned;
        p.location.type = cudaMemLocationTypeDevice;
        cudaMemPoolCreate(last ? &pool : &no_pool, &p);
        cudaMalloc(last ? &memory : &no_memory, 256);
        cublasCreate(last ? &blas : &no_blas);
    }
    cublasDestroy(no_blas);
    cudaDestroyTextureObject(no_texture);
    cudaFreeArray(no_array);
    cudaFreeMipmappedArray(no_mipmap);
    cudaGraphExecDestroy(no_exec);
    cudaGraphDestroy(no_graph);
    cudaEventDestroy(no_event);
    cudaStreamDestroy(no_stream);
    cudaMemPoolDestroy(no_pool);
    cudaFree(no_memory);
    cudaGetLastError();
}

static int i;
static size_t bytes;
static unsigned flags;
static void *p;
static cudaKernelNodeParams launch = {(void *)kernel, {1, 1, 1}, {1, 1, 1}, 0, NULL, NULL};
static CUtensorMap map;
static cuuint64_t dims[2] = {8, 8}, strides[1] = {32};
static cuuint32_t box[2] = {8, 8}, ones[2] = {1, 1};
static float one = 1;

static CUresult encode(CUtensorMap *m, void *a, cuuint64_t *d, cuuint64_t *s, cuuint32_t *b,
                       cuuint32_t *o)
{
    void *f = NULL;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault,
                                     &found);
    return ((PFN_cuTensorMapEncodeTiled_v12000)f)(
        m, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, a, d, s, b, o, CU_TENSOR_MAP_INTERLEAVE_NONE,
        CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE,
        CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

#define ROW(expected, call) {expected, #call, [] { return (int)(call); }},
static const struct row {
    int expected;
    const char *call;
    int (*run)(void);
} rows[] = {
    // Devices.
    ROW(1, cudaGetDeviceCount(NULL)) ROW(1, cudaGetDevice(NULL)) ROW(
        1, cudaGetDeviceProperties((cudaDeviceProp *)NULL, 0))
        ROW(1, cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0)) ROW(
            1, cudaDeviceGetLimit(NULL, cudaLimitStackSize)) ROW(1, cudaDeviceGetCacheConfig(NULL))
            ROW(1, cudaGetDeviceFlags(NULL)) ROW(1, cudaChooseDevice(NULL, NULL))
                ROW(1, cudaChooseDevice(&i, NULL)) ROW(1, cudaDeviceGetPCIBusId(NULL, 16, 0))
                    ROW(1, cudaDeviceGetPCIBusId((char *)host, 0, 0))
                        ROW(1, cudaDeviceGetByPCIBusId(NULL, "0000:00:00.0")) ROW(
                            1, cudaDeviceGetByPCIBusId(&i, NULL)) ROW(1, cudaDriverGetVersion(NULL))
                            ROW(1, cudaRuntimeGetVersion(NULL)) ROW(0, cudaSetValidDevices(NULL, 0))
                                ROW(1, cudaSetValidDevices(NULL, 1))
                                    ROW(1, cudaDeviceCanAccessPeer(NULL, 0, 0))
    // Memory.
    ROW(0, cudaMemGetInfo(NULL, NULL)) ROW(1, cudaMalloc((void **)NULL, 4))
        ROW(1, cudaMallocManaged((void **)NULL, 4)) ROW(1, cudaMallocHost((void **)NULL, 4)) ROW(
            1, cudaHostAlloc((void **)NULL, 4, 0)) ROW(1,
                                                       cudaMallocPitch((void **)NULL, &bytes, 4, 4))
            ROW(1, cudaMallocPitch(&p, NULL, 4, 4)) ROW(1, cudaMalloc3D(NULL, {4, 4, 4})) ROW(
                1, cudaHostGetDevicePointer((void **)NULL, host,
                                            0)) ROW(1, cudaHostGetDevicePointer(&p, NULL, 0))
                ROW(1, cudaHostGetFlags(NULL, host)) ROW(1, cudaHostGetFlags(&flags, NULL)) ROW(
                    1, cudaHostRegister(NULL, 4, 0)) ROW(1, cudaHostUnregister(NULL))
                    ROW(0, cudaFree(NULL)) ROW(0, cudaFreeHost(NULL)) ROW(1, cudaFree(host)) ROW(
                        1, cudaMemcpy(NULL, host, 4, cudaMemcpyHostToDevice))
                        ROW(1, cudaMemcpy(memory, NULL, 4, cudaMemcpyHostToDevice)) ROW(
                            1, cudaMemcpy(
                                   NULL, memory,
                                   4, cudaMemcpyDeviceToHost)) ROW(1, cudaMemcpy(NULL, NULL, 4,
                                                                                 cudaMemcpyDefault))
                            ROW(1, cudaMemcpy(host, NULL, 4, cudaMemcpyHostToHost)) ROW(
                                0, cudaMemcpy(NULL, NULL, 0, cudaMemcpyDefault))
                                ROW(21, cudaMemcpy(memory, host, 4, (cudaMemcpyKind)9)) ROW(
                                    1, cudaMemcpy2D(NULL, 8, host, 8, 8, 2, cudaMemcpyHostToDevice))
                                    ROW(1, cudaMemcpyAsync(
                                               NULL, host,
                                               4, cudaMemcpyHostToDevice, stream))
                                        ROW(400, cudaMemcpyAsync(
                                                     memory,
                                                     host, 4, cudaMemcpyHostToDevice,
                                                     no_stream)) ROW(400,
                                                                     cudaMemsetAsync(memory, 0, 4,
                                                                                     no_stream))
                                            ROW(1, cudaMemset(NULL, 0, 4)) ROW(
                                                1,
                                                cudaMemset2D(NULL, 8, 0, 8,
                                                             2)) ROW(1, cudaMemcpy3D(NULL))
                                                ROW(1, cudaMemcpy3DAsync(NULL, 0)) ROW(
                                                    1,
                                                    cudaMemset3D(
                                                        {NULL, 8, 8, 2},
                                                        0,
                                                        {8, 2,
                                                         1})) ROW(1,
                                                                  cudaPointerGetAttributes(NULL,
                                                                                           memory))
                                                    ROW(1,
                                                        cudaMallocAsync(
                                                            (void **)NULL,
                                                            4, 0)) ROW(400,
                                                                       cudaMallocAsync(
                                                                           &p,
                                                                           4, no_stream))
                                                        ROW(400, cudaFreeAsync(memory, no_stream))
                                                            ROW(1,
                                                                cudaGetSymbolAddress((void **)NULL,
                                                                                     variable))
                                                                ROW(1, cudaGetSymbolSize(
                                                                           NULL, variable))
                                                                    ROW(1, cudaMemcpyToSymbol(
                                                                               variable, NULL, 4))
                                                                        ROW(1,
                                                                            cudaMemcpyFromSymbol(
                                                                                NULL, variable, 4))
    // Pools.
    ROW(1, cudaDeviceGetDefaultMemPool(NULL, 0)) ROW(1, cudaDeviceGetMemPool(NULL, 0)) ROW(
        1, cudaDeviceSetMemPool(0, NULL)) ROW(1, cudaDeviceSetMemPool(0, no_pool))
        ROW(1, cudaMemPoolCreate(NULL, NULL)) ROW(1, cudaMemPoolCreate(&pool, NULL)) ROW(
            1, cudaMemPoolDestroy(NULL)) ROW(1, cudaMemPoolDestroy(no_pool))
            ROW(1, cudaMemPoolTrimTo(NULL, 0)) ROW(
                1, cudaMemPoolSetAttribute(NULL, cudaMemPoolAttrReleaseThreshold, &bytes))
                ROW(1, cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, NULL)) ROW(
                    1, cudaMemPoolGetAttribute(no_pool, cudaMemPoolAttrReleaseThreshold, &bytes))
                    ROW(1, cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, NULL))
                        ROW(1, cudaMemPoolGetAccess(NULL, pool, NULL))
                            ROW(1, cudaMemPoolSetAccess(pool, NULL, 1))
                                ROW(1, cudaMallocFromPoolAsync(&p, 4, NULL, 0))
                                    ROW(1, cudaMallocFromPoolAsync(&p, 4, no_pool, 0))
    // Streams.
    ROW(1, cudaStreamCreate(NULL)) ROW(1, cudaStreamCreateWithFlags(NULL, 0)) ROW(
        1, cudaStreamCreateWithPriority(NULL, 0, 0)) ROW(1, cudaStreamCreateWithFlags(&stream, 99))
        ROW(400, cudaStreamDestroy(NULL)) ROW(400, cudaStreamDestroy(no_stream)) ROW(
            400, cudaStreamSynchronize(no_stream)) ROW(400, cudaStreamQuery(no_stream))
            ROW(400, cudaStreamWaitEvent(stream, NULL, 0)) ROW(
                400, cudaStreamWaitEvent(stream, no_event, 0))
                ROW(400, cudaStreamWaitEvent(no_stream, event, 0)) ROW(
                    1, cudaStreamGetPriority(stream, NULL))
                    ROW(400, cudaStreamGetPriority(no_stream, &i)) ROW(
                        1, cudaStreamGetFlags(stream, NULL)) ROW(1, cudaStreamGetId(stream, NULL))
                        ROW(0, cudaDeviceGetStreamPriorityRange(NULL, NULL)) ROW(
                            1, cudaStreamSetAttribute(stream, cudaLaunchAttributePriority, NULL))
                            ROW(1,
                                cudaStreamGetAttribute(stream, cudaLaunchAttributePriority, NULL))
                                ROW(1, cudaLaunchHostFunc(stream, NULL, NULL)) ROW(
                                    400, cudaLaunchHostFunc(no_stream, nothing, NULL))
                                    ROW(1, cudaStreamAddCallback(stream, NULL, NULL, 0)) ROW(
                                        1, cudaStreamBeginCapture(stream, (cudaStreamCaptureMode)9))
                                        ROW(400, cudaStreamBeginCapture(
                                                     no_stream, cudaStreamCaptureModeGlobal))
                                            ROW(400, cudaStreamEndCapture(no_stream, &graph))
                                                ROW(1, cudaStreamIsCapturing(stream, NULL)) ROW(
                                                    400, cudaLaunchKernel((const void *)kernel,
                                                                          dim3(1), dim3(1), NULL, 0,
                                                                          no_stream))
                                                    ROW(98, cudaLaunchKernel(NULL, dim3(1), dim3(1),
                                                                             NULL, 0, 0))
                                                        ROW(98, cudaLaunchKernel((const void *)host,
                                                                                 dim3(1), dim3(1),
                                                                                 NULL, 0, 0))
                                                            ROW(1, cudaLaunchKernelExC(
                                                                       NULL, (const void *)kernel,
                                                                       NULL))
    // Events.
    ROW(1, cudaEventCreate(NULL)) ROW(1, cudaEventCreateWithFlags(NULL, 0))
        ROW(1, cudaEventCreateWithFlags(&event, 0x100)) ROW(400, cudaEventDestroy(NULL))
            ROW(400, cudaEventDestroy(no_event)) ROW(400, cudaEventRecord(NULL, 0))
                ROW(400, cudaEventRecord(no_event, 0)) ROW(400, cudaEventRecord(event, no_stream))
                    ROW(400, cudaEventSynchronize(NULL)) ROW(400, cudaEventSynchronize(no_event))
                        ROW(400, cudaEventQuery(no_event))
                            ROW(400, cudaEventElapsedTime(&one, NULL, event))
                                ROW(400, cudaEventElapsedTime(&one, event, no_event))
                                    ROW(1, cudaEventElapsedTime(NULL, event, event))
    // Graphs.
    ROW(1, cudaGraphCreate(NULL, 0)) ROW(1, cudaGraphDestroy(NULL)) ROW(1, cudaGraphDestroy(no_graph)) ROW(
        1, cudaGraphClone(
               NULL, graph)) ROW(1,
                                 cudaGraphClone(
                                     &graph,
                                     NULL)) ROW(1, cudaGraphAddEmptyNode(NULL, graph, NULL, 0))
        ROW(1, cudaGraphAddEmptyNode(&node, NULL, NULL, 0)) ROW(
            1, cudaGraphAddEmptyNode(
                   &node, graph, NULL, 1)) ROW(1, cudaGraphAddEmptyNode(&node, graph, &no_node, 1))
            ROW(1, cudaGraphAddKernelNode(&node, graph, NULL, 0, NULL)) ROW(
                1, cudaGraphAddKernelNode(
                       &node, NULL,
                       NULL, 0,
                       &launch)) ROW(1, cudaGraphAddMemcpyNode(&node, graph, NULL, 0, NULL))
                ROW(1, cudaGraphAddMemsetNode(&node, graph, NULL, 0, NULL)) ROW(
                    1, cudaGraphAddHostNode(
                           &node, graph, NULL,
                           0, NULL)) ROW(1, cudaGraphAddChildGraphNode(&node, graph, NULL, 0, NULL))
                    ROW(1, cudaGraphAddEventRecordNode(&node, graph, NULL, 0, NULL)) ROW(
                        1, cudaGraphAddMemAllocNode(
                               &node, graph, NULL,
                               0, NULL)) ROW(1,
                                             cudaGraphAddMemFreeNode(&node, graph, NULL, 0, NULL))
#if CUDART_VERSION < 13000
                        ROW(1, cudaGraphAddDependencies(graph, NULL, NULL, 1)) ROW(
                            1, cudaGraphAddDependencies(NULL, &node, &node, 1))
#endif
                            ROW(1, cudaGraphInstantiate(NULL, graph, 0)) ROW(
                                1,
                                cudaGraphInstantiate(
                                    &exec,
                                    NULL, 0)) ROW(1,
                                                  cudaGraphExecDestroy(
                                                      NULL)) ROW(1, cudaGraphExecDestroy(no_exec))
                                ROW(1, cudaGraphLaunch(NULL, 0)) ROW(
                                    1,
                                    cudaGraphLaunch(
                                        no_exec, 0)) ROW(400, cudaGraphLaunch(exec, no_stream))
                                    ROW(1, cudaGraphUpload(NULL, 0)) ROW(
                                        1, cudaGraphExecUpdate(
                                               NULL, graph,
                                               NULL)) ROW(1, cudaGraphExecUpdate(exec, NULL, NULL))
                                        ROW(1, cudaGraphKernelNodeGetParams(NULL, &launch)) ROW(
                                            1, cudaGraphKernelNodeGetParams(
                                                   node,
                                                   NULL)) ROW(1,
                                                              cudaGraphKernelNodeSetParams(NULL,
                                                                                           &launch))
                                            ROW(1, cudaGraphKernelNodeSetParams(node, &launch)) ROW(
                                                1,
                                                cudaGraphExecKernelNodeSetParams(
                                                    NULL, node,
                                                    &launch)) ROW(1,
                                                                  cudaGraphMemsetNodeSetParams(node,
                                                                                               NULL))
                                                ROW(1, cudaGraphHostNodeSetParams(NULL, NULL)) ROW(
                                                    1, cudaGraphGetNodes(NULL, NULL, &bytes))
                                                    ROW(1, cudaGraphGetNodes(graph, NULL, NULL)) ROW(
                                                        1, cudaGraphGetRootNodes(
                                                               graph, NULL,
                                                               NULL)) ROW(1, cudaGraphNodeGetType(NULL,
                                                                                                  NULL))
                                                        ROW(1, cudaGraphNodeGetType(node, NULL)) ROW(
                                                            1, cudaGraphNodeFindInClone(
                                                                   NULL, node,
                                                                   graph))
                                                            ROW(1, cudaGraphDestroyNode(NULL)) ROW(
                                                                1, cudaGraphDestroyNode(no_node))
                                                                ROW(1,
                                                                    cudaDeviceGetGraphMemAttribute(
                                                                        0,
                                                                        cudaGraphMemAttrUsedMemCurrent,
                                                                        NULL))
    // Arrays and textures.
    ROW(1, cudaMallocArray(NULL, &format, 8, 8)) ROW(1, cudaMallocArray(&array, NULL, 8, 8)) ROW(
        1, cudaMalloc3DArray(&array, NULL, {8, 8, 0})) ROW(0, cudaFreeArray(NULL))
        ROW(400, cudaFreeArray(no_array)) ROW(400, cudaArrayGetInfo(NULL, NULL, NULL, NULL)) ROW(
            400, cudaArrayGetInfo(NULL, NULL, NULL, no_array))
            ROW(1, cudaGetChannelDesc(NULL, array)) ROW(400, cudaGetChannelDesc(&format, NULL)) ROW(
                1, cudaMallocMipmappedArray(NULL, &format, {8, 8, 0},
                                            2)) ROW(400,
                                                    cudaGetMipmappedArrayLevel(&array, NULL, 0))
                ROW(1, cudaGetMipmappedArrayLevel(&array, mipmap, 9)) ROW(
                    0, cudaFreeMipmappedArray(NULL)) ROW(400, cudaFreeMipmappedArray(no_mipmap))
                    ROW(400,
                        cudaMemcpy2DToArray(NULL, 0, 0, host, 32, 32, 2, cudaMemcpyHostToDevice))
                        ROW(400, cudaMemcpy2DToArray(no_array, 0, 0, host, 32, 32, 2,
                                                     cudaMemcpyHostToDevice))
                            ROW(1, cudaMemcpy2DToArray(
                                       array, 0, 0, NULL, 32, 32, 2, cudaMemcpyHostToDevice))
                                ROW(1, cudaMemcpy2DToArray(
                                           array, 8, 0, host, 32, 32, 2, cudaMemcpyHostToDevice))
                                    ROW(400, cudaMemcpy2DFromArray(
                                                 host, 32, NULL, 0,
                                                 0, 32, 2, cudaMemcpyDeviceToHost))
                                        ROW(1, cudaCreateTextureObject(
                                                   NULL, &resource,
                                                   &how, NULL)) ROW(1,
                                                                    cudaCreateTextureObject(
                                                                        &texture, NULL, &how, NULL))
                                            ROW(1, cudaCreateTextureObject(&texture,
                                                                           &resource, NULL, NULL))
                                                ROW(400, (resource = of_array(NULL),
                                                          cudaCreateTextureObject(
                                                              &texture, &resource, &how, NULL)))
                                                    ROW(400, (resource = of_array(no_array),
                                                              cudaCreateTextureObject(
                                                                  &texture, &resource, &how, NULL)))
                                                        ROW(0, cudaDestroyTextureObject(0)) ROW(
                                                            1, cudaDestroyTextureObject(no_texture))
                                                            ROW(1, cudaGetTextureObjectResourceDesc(
                                                                       NULL, texture))
                                                                ROW(1,
                                                                    cudaGetTextureObjectResourceDesc(
                                                                        &resource, 0))
                                                                    ROW(1, cudaCreateSurfaceObject(
                                                                               NULL, &resource))
                                                                        ROW(0,
                                                                            cudaDestroySurfaceObject(
                                                                                0))
    // Functions.
    ROW(1, cudaFuncGetAttributes(NULL, kernel))
        ROW(1, cudaOccupancyMaxActiveBlocksPerMultiprocessor(NULL, kernel, 32, 0))
            ROW(1, cudaOccupancyMaxPotentialBlockSize(NULL, &i, kernel))
                ROW(1, cudaGetDriverEntryPointByVersion(NULL, &p, 12000, cudaEnableDefault, NULL))
                    ROW(1, cudaGetDriverEntryPointByVersion("cuInit", (void **)NULL, 12000,
                                                            cudaEnableDefault, NULL))
    // Tensor maps.
    ROW(0, encode(&map, memory, dims, strides, box, ones))
        ROW(1, encode(NULL, memory, dims, strides, box, ones))
            ROW(1, encode(&map, NULL, dims, strides, box, ones))
                ROW(1, encode(&map, memory, NULL, strides, box, ones))
                    ROW(1, encode(&map, memory, dims, NULL, box, ones))
                        ROW(1, encode(&map, memory, dims, strides, NULL, ones))
                            ROW(1, encode(&map, memory, dims, strides, box, NULL))
    // cuBLAS.
    ROW(7, cublasCreate(NULL)) ROW(1, cublasDestroy(NULL)) ROW(1, cublasDestroy(no_blas))
        ROW(1, cublasSetStream(NULL, stream)) ROW(7, cublasGetStream(blas, NULL))
            ROW(7, cublasGetPointerMode(blas, NULL)) ROW(7, cublasGetMathMode(blas, NULL))
                ROW(7, cublasGetVersion(blas, NULL)) ROW(1, cublasSetStream(no_blas, stream))
                    ROW(1, cublasSscal(NULL, 4, &one, memory, 1))
                        ROW(7, cublasSscal(blas, 4, NULL, memory, 1)) ROW(
                            7, cublasSdot(blas, 4, memory, 1, memory, 1, NULL))
                            ROW(7, cublasSaxpy(blas, 4, NULL, memory, 1, memory, 1)) ROW(
                                7, cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2,
                                               NULL, memory, 2, memory, 2, &one, memory, 2))
                                ROW(7, cublasSgemm(blas, (cublasOperation_t)9, CUBLAS_OP_N, 2, 2, 2,
                                                   &one, memory, 2, memory, 2, &one, memory, 2))
                                    ROW(7, cublasSgeam(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, NULL,
                                                       memory, 2, &one, memory, 2, memory, 2))
                                        ROW(11, cublasSetVector(4, 4, NULL, 1, memory, 1))
                                            ROW(7, cublasSetMatrix(2, 2, 0, host, 2, memory, 2))};

int main(int argc, char **argv)
{
    int count = (int)(sizeof rows / sizeof *rows), wrong = 0;
    if (argc == 1 && getenv("ROWS"))
        return printf("%d\n", count), 0;
    make_objects();
    if (argc > 1) {
        const struct row *r = &rows[atoi(argv[1])];
        int e = r->run();
        printf("%s%d\t%d\t%s\n", e == r->expected ? "" : "DIFFERS ", e, r->expected, r->call);
        return 0;
    }
    for (const struct row *r = rows; r < rows + count; r++) {
        int status = 0;
        fflush(stdout);
        pid_t child = fork();
        if (!child) {
            freopen("/dev/null", "w", stderr);
            _exit(r->run());
        }
        waitpid(child, &status, 0);
        if (WIFEXITED(status) && WEXITSTATUS(status) == (r->expected & 255))
            continue;
        wrong++;
        printf("%s: expected %d, %s %d\n", r->call, r->expected,
               WIFEXITED(status) ? "got" : "signal",
               WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    }
    return wrong != 0;
}
