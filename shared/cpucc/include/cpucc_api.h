/* Declares the CUDA run-time API's C functions; device.c implements them. For C11 and C++. */
#ifndef CPUCC_API_H
#define CPUCC_API_H

#include "driver_types.h"
#include <stddef.h>

#ifndef __cplusplus
typedef struct uint3 {
    unsigned x, y, z;
} uint3;
typedef struct dim3 {
    unsigned x, y, z;
} dim3;
#define CPUCC_C_VECTOR(T, name, bytes2, bytes4)                                                    \
    typedef struct name##2                                                                         \
    {                                                                                              \
        _Alignas(bytes2) T x;                                                                      \
        T y;                                                                                       \
    }                                                                                              \
    name##2;                                                                                       \
    typedef struct name##4                                                                         \
    {                                                                                              \
        _Alignas(bytes4) T x;                                                                      \
        T y, z, w;                                                                                 \
    }                                                                                              \
    name##4;
CPUCC_C_VECTOR(int, int, 8, 16)
CPUCC_C_VECTOR(unsigned, uint, 8, 16)
CPUCC_C_VECTOR(float, float, 8, 16)
CPUCC_C_VECTOR(double, double, 16, 16)
#endif

#ifdef __cplusplus
#define CPUCC_OR(value) = value /* default argument in C++ */
extern "C" {
#else
#define CPUCC_OR(value)
#endif
#define CUDA_API(name, ...) cudaError_t name(__VA_ARGS__);

/* Errors. */
CUDA_API(cudaGetLastError, void)
CUDA_API(cudaPeekAtLastError, void)
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);

/* The device. */
CUDA_API(cudaGetDeviceCount, int *)
CUDA_API(cudaGetDevice, int *)
CUDA_API(cudaSetDevice, int)
CUDA_API(cudaInitDevice, int, unsigned, unsigned)
CUDA_API(cudaChooseDevice, int *, const cudaDeviceProp *)
CUDA_API(cudaSetValidDevices, int *, int)
CUDA_API(cudaSetDeviceFlags, unsigned)
CUDA_API(cudaGetDeviceFlags, unsigned *)
CUDA_API(cudaDeviceReset, void)
CUDA_API(cudaDeviceSynchronize, void)
CUDA_API(cudaThreadSynchronize, void)
CUDA_API(cudaThreadExit, void)
CUDA_API(cudaGetDeviceProperties, cudaDeviceProp *, int)
CUDA_API(cudaDeviceGetAttribute, int *, cudaDeviceAttr, int)
CUDA_API(cudaDeviceSetLimit, cudaLimit, size_t)
CUDA_API(cudaDeviceGetLimit, size_t *, cudaLimit)
CUDA_API(cudaDeviceSetCacheConfig, cudaFuncCache)
CUDA_API(cudaDeviceGetCacheConfig, cudaFuncCache *)
CUDA_API(cudaDeviceSetSharedMemConfig, cudaSharedMemConfig)
CUDA_API(cudaDeviceGetSharedMemConfig, cudaSharedMemConfig *)
CUDA_API(cudaDeviceGetPCIBusId, char *, int, int)
CUDA_API(cudaDeviceGetByPCIBusId, int *, const char *)
CUDA_API(cudaDriverGetVersion, int *)
CUDA_API(cudaRuntimeGetVersion, int *)
CUDA_API(cudaCtxResetPersistingL2Cache, void)
CUDA_API(cudaProfilerStart, void)
CUDA_API(cudaProfilerStop, void)

/* Memory. */
CUDA_API(cudaMemGetInfo, size_t *, size_t *)
CUDA_API(cudaMalloc, void **, size_t)
CUDA_API(cudaMallocManaged, void **, size_t, unsigned flags CPUCC_OR(cudaMemAttachGlobal))
CUDA_API(cudaMallocHost, void **, size_t)
CUDA_API(cudaHostAlloc, void **, size_t, unsigned)
CUDA_API(cudaHostGetDevicePointer, void **, void *, unsigned)
CUDA_API(cudaHostGetFlags, unsigned *, void *)
CUDA_API(cudaHostRegister, void *, size_t, unsigned)
CUDA_API(cudaHostUnregister, void *)
CUDA_API(cudaMallocPitch, void **, size_t *, size_t, size_t)
CUDA_API(cudaMalloc3D, cudaPitchedPtr *, cudaExtent)
CUDA_API(cudaFree, void *)
CUDA_API(cudaFreeHost, void *)
CUDA_API(cudaMemcpy, void *, const void *, size_t, cudaMemcpyKind)
CUDA_API(cudaMemcpyAsync, void *, const void *, size_t, cudaMemcpyKind,
         cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaMemcpy2D, void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind)
CUDA_API(cudaMemcpy2DAsync, void *, size_t, const void *, size_t, size_t, size_t, cudaMemcpyKind,
         cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaMemcpy3D, const cudaMemcpy3DParms *)
CUDA_API(cudaMemcpy3DAsync, const cudaMemcpy3DParms *, cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaMemset, void *, int, size_t)
CUDA_API(cudaMemsetAsync, void *, int, size_t, cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaMemset2D, void *, size_t, int, size_t, size_t)
CUDA_API(cudaMemset2DAsync, void *, size_t, int, size_t, size_t, cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaMemset3D, cudaPitchedPtr, int, cudaExtent)
CUDA_API(cudaMemset3DAsync, cudaPitchedPtr, int, cudaExtent, cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaMemPrefetchAsync, const void *, size_t, int, cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaMemAdvise, const void *, size_t, cudaMemoryAdvise, int)
CUDA_API(cudaPointerGetAttributes, cudaPointerAttributes *, const void *)

/* Pools. */
CUDA_API(cudaMallocAsync, void **, size_t, cudaStream_t)
CUDA_API(cudaMallocFromPoolAsync, void **, size_t, cudaMemPool_t, cudaStream_t)
CUDA_API(cudaFreeAsync, void *, cudaStream_t)
CUDA_API(cudaDeviceGetDefaultMemPool, cudaMemPool_t *, int)
CUDA_API(cudaDeviceGetMemPool, cudaMemPool_t *, int)
CUDA_API(cudaDeviceSetMemPool, int, cudaMemPool_t)
CUDA_API(cudaMemPoolCreate, cudaMemPool_t *, const cudaMemPoolProps *)
CUDA_API(cudaMemPoolDestroy, cudaMemPool_t)
CUDA_API(cudaMemPoolTrimTo, cudaMemPool_t, size_t)
CUDA_API(cudaMemPoolSetAttribute, cudaMemPool_t, cudaMemPoolAttr, void *)
CUDA_API(cudaMemPoolGetAttribute, cudaMemPool_t, cudaMemPoolAttr, void *)
CUDA_API(cudaMemPoolGetAccess, cudaMemAccessFlags *, cudaMemPool_t, cudaMemLocation *)
CUDA_API(cudaMemPoolSetAccess, cudaMemPool_t, const cudaMemAccessDesc *, size_t)

/* Arrays, textures, surfaces. */
CUDA_API(cudaMallocArray, cudaArray_t *, const cudaChannelFormatDesc *, size_t,
         size_t height CPUCC_OR(0), unsigned flags CPUCC_OR(0))
CUDA_API(cudaMalloc3DArray, cudaArray_t *, const cudaChannelFormatDesc *, cudaExtent,
         unsigned flags CPUCC_OR(0))
CUDA_API(cudaFreeArray, cudaArray_t)
CUDA_API(cudaArrayGetInfo, cudaChannelFormatDesc *, cudaExtent *, unsigned *, cudaArray_t)
CUDA_API(cudaGetChannelDesc, cudaChannelFormatDesc *, cudaArray_const_t)
CUDA_API(cudaMallocMipmappedArray, cudaMipmappedArray_t *, const cudaChannelFormatDesc *,
         cudaExtent, unsigned __levels, unsigned flags CPUCC_OR(0))
CUDA_API(cudaGetMipmappedArrayLevel, cudaArray_t *, cudaMipmappedArray_const_t, unsigned)
CUDA_API(cudaFreeMipmappedArray, cudaMipmappedArray_t)
CUDA_API(cudaMemcpyToArray, cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind)
CUDA_API(cudaMemcpyToArrayAsync, cudaArray_t, size_t, size_t, const void *, size_t, cudaMemcpyKind,
         cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaMemcpyFromArray, void *, cudaArray_const_t, size_t, size_t, size_t, cudaMemcpyKind)
CUDA_API(cudaMemcpy2DToArray, cudaArray_t, size_t, size_t, const void *, size_t, size_t, size_t,
         cudaMemcpyKind)
CUDA_API(cudaMemcpy2DToArrayAsync, cudaArray_t, size_t, size_t, const void *, size_t, size_t,
         size_t, cudaMemcpyKind, cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaMemcpy2DArrayToArray, cudaArray_t, size_t, size_t, cudaArray_const_t, size_t, size_t,
         size_t, size_t, cudaMemcpyKind CPUCC_OR(cudaMemcpyDeviceToDevice))
CUDA_API(cudaMemcpy2DFromArray, void *, size_t, cudaArray_const_t, size_t, size_t, size_t, size_t,
         cudaMemcpyKind)
CUDA_API(cudaCreateTextureObject, cudaTextureObject_t *, const cudaResourceDesc *,
         const cudaTextureDesc *, const cudaResourceViewDesc *)
CUDA_API(cudaDestroyTextureObject, cudaTextureObject_t)
CUDA_API(cudaGetTextureObjectResourceDesc, cudaResourceDesc *, cudaTextureObject_t)
CUDA_API(cudaCreateSurfaceObject, cudaSurfaceObject_t *, const cudaResourceDesc *)
CUDA_API(cudaDestroySurfaceObject, cudaSurfaceObject_t)

/* Events and streams. */
CUDA_API(cudaEventCreate, cudaEvent_t *)
CUDA_API(cudaEventCreateWithFlags, cudaEvent_t *, unsigned)
CUDA_API(cudaEventDestroy, cudaEvent_t)
CUDA_API(cudaEventRecord, cudaEvent_t, cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaEventRecordWithFlags, cudaEvent_t, cudaStream_t stream CPUCC_OR(0),
         unsigned flags CPUCC_OR(0))
CUDA_API(cudaEventSynchronize, cudaEvent_t)
CUDA_API(cudaEventQuery, cudaEvent_t)
CUDA_API(cudaEventElapsedTime, float *, cudaEvent_t, cudaEvent_t)
CUDA_API(cudaStreamCreate, cudaStream_t *)
CUDA_API(cudaStreamCreateWithFlags, cudaStream_t *, unsigned)
CUDA_API(cudaStreamCreateWithPriority, cudaStream_t *, unsigned, int)
CUDA_API(cudaStreamDestroy, cudaStream_t)
CUDA_API(cudaStreamSynchronize, cudaStream_t)
CUDA_API(cudaStreamQuery, cudaStream_t)
CUDA_API(cudaStreamWaitEvent, cudaStream_t, cudaEvent_t, unsigned flags CPUCC_OR(0))
CUDA_API(cudaStreamGetPriority, cudaStream_t, int *)
CUDA_API(cudaStreamGetFlags, cudaStream_t, unsigned *)
CUDA_API(cudaStreamGetDevice, cudaStream_t, int *)
CUDA_API(cudaStreamGetId, cudaStream_t, unsigned long long *)
CUDA_API(cudaDeviceGetStreamPriorityRange, int *, int *)
CUDA_API(cudaStreamSetAttribute, cudaStream_t, cudaStreamAttrID, const cudaStreamAttrValue *)
CUDA_API(cudaStreamGetAttribute, cudaStream_t, cudaStreamAttrID, cudaStreamAttrValue *)
CUDA_API(cudaStreamAttachMemAsync, cudaStream_t, void *, size_t length CPUCC_OR(0),
         unsigned flags CPUCC_OR(cudaMemAttachSingle))
CUDA_API(cudaLaunchHostFunc, cudaStream_t, cudaHostFn_t, void *)
CUDA_API(cudaStreamAddCallback, cudaStream_t, cudaStreamCallback_t, void *, unsigned)
CUDA_API(cudaStreamBeginCapture, cudaStream_t, cudaStreamCaptureMode)
CUDA_API(cudaStreamBeginCaptureToGraph, cudaStream_t, cudaGraph_t, const cudaGraphNode_t *,
         const void *, size_t, cudaStreamCaptureMode)
CUDA_API(cudaStreamEndCapture, cudaStream_t, cudaGraph_t *)
CUDA_API(cudaStreamIsCapturing, cudaStream_t, cudaStreamCaptureStatus *)
CUDA_API(cudaStreamGetCaptureInfo, cudaStream_t, cudaStreamCaptureStatus *,
         unsigned long long *id CPUCC_OR(0), cudaGraph_t *graph CPUCC_OR(0),
         const cudaGraphNode_t **__after CPUCC_OR(0), size_t *count CPUCC_OR(0))
CUDA_API(cudaStreamUpdateCaptureDependencies, cudaStream_t, cudaGraphNode_t *, size_t,
         unsigned flags CPUCC_OR(0))
CUDA_API(cudaThreadExchangeStreamCaptureMode, cudaStreamCaptureMode *)

/* Graphs. cpucc_host.h has the forms for C++. */
typedef struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
} cudaKernelNodeParams;
#define CPUCC_GRAPH_NODE(name, ...)                                                                \
    CUDA_API(name, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t, __VA_ARGS__)
CUDA_API(cudaGraphCreate, cudaGraph_t *, unsigned)
CUDA_API(cudaGraphDestroy, cudaGraph_t)
CUDA_API(cudaGraphClone, cudaGraph_t *, cudaGraph_t)
CPUCC_GRAPH_NODE(cudaGraphAddKernelNode, const cudaKernelNodeParams *)
CPUCC_GRAPH_NODE(cudaGraphAddMemcpyNode, const cudaMemcpy3DParms *)
CPUCC_GRAPH_NODE(cudaGraphAddMemcpyNode1D, void *, const void *, size_t, cudaMemcpyKind)
CPUCC_GRAPH_NODE(cudaGraphAddMemsetNode, const cudaMemsetParams *)
CPUCC_GRAPH_NODE(cudaGraphAddHostNode, const cudaHostNodeParams *)
CPUCC_GRAPH_NODE(cudaGraphAddChildGraphNode, cudaGraph_t)
CPUCC_GRAPH_NODE(cudaGraphAddEventRecordNode, cudaEvent_t)
CPUCC_GRAPH_NODE(cudaGraphAddEventWaitNode, cudaEvent_t)
CPUCC_GRAPH_NODE(cudaGraphAddMemAllocNode, cudaMemAllocNodeParams *)
CPUCC_GRAPH_NODE(cudaGraphAddMemFreeNode, void *)
CPUCC_GRAPH_NODE(cpucc_add_conditional, cudaConditionalNodeParams *)
CUDA_API(cudaGraphConditionalHandleCreate, cudaGraphConditionalHandle *, cudaGraph_t,
         unsigned __at_launch CPUCC_OR(0), unsigned flags CPUCC_OR(0))
CUDA_API(cudaGraphAddEmptyNode, cudaGraphNode_t *, cudaGraph_t, const cudaGraphNode_t *, size_t)
CUDA_API(cudaGraphAddDependencies, cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *,
         size_t)
CUDA_API(cudaGraphInstantiateWithFlags, cudaGraphExec_t *, cudaGraph_t,
         unsigned long long flags CPUCC_OR(0))
CUDA_API(cudaGraphExecDestroy, cudaGraphExec_t)
CUDA_API(cudaGraphUpload, cudaGraphExec_t, cudaStream_t)
CUDA_API(cudaGraphLaunch, cudaGraphExec_t, cudaStream_t)
CUDA_API(cudaGraphExecUpdate, cudaGraphExec_t, cudaGraph_t, cudaGraphExecUpdateResultInfo *)
CUDA_API(cudaGraphKernelNodeGetParams, cudaGraphNode_t, cudaKernelNodeParams *)
CUDA_API(cudaGraphKernelNodeSetParams, cudaGraphNode_t, const cudaKernelNodeParams *)
CUDA_API(cudaGraphExecKernelNodeSetParams, cudaGraphExec_t, cudaGraphNode_t,
         const cudaKernelNodeParams *)
CUDA_API(cudaGraphMemsetNodeSetParams, cudaGraphNode_t, const cudaMemsetParams *)
CUDA_API(cudaGraphExecMemsetNodeSetParams, cudaGraphExec_t, cudaGraphNode_t,
         const cudaMemsetParams *)
CUDA_API(cudaGraphHostNodeSetParams, cudaGraphNode_t, const cudaHostNodeParams *)
CUDA_API(cudaGraphExecHostNodeSetParams, cudaGraphExec_t, cudaGraphNode_t,
         const cudaHostNodeParams *)
CUDA_API(cudaGraphExecMemcpyNodeSetParams1D, cudaGraphExec_t, cudaGraphNode_t, void *, const void *,
         size_t, cudaMemcpyKind)
CUDA_API(cudaGraphNodeSetEnabled, cudaGraphExec_t, cudaGraphNode_t, unsigned)
CUDA_API(cudaGraphGetNodes, cudaGraph_t, cudaGraphNode_t *, size_t *)
CUDA_API(cudaGraphGetRootNodes, cudaGraph_t, cudaGraphNode_t *, size_t *)
CUDA_API(cudaGraphNodeGetDependencies, cudaGraphNode_t, cudaGraphNode_t *, size_t *)
CUDA_API(cudaGraphNodeGetType, cudaGraphNode_t, cudaGraphNodeType *)
CUDA_API(cudaGraphNodeFindInClone, cudaGraphNode_t *, cudaGraphNode_t, cudaGraph_t)
CUDA_API(cudaGraphDestroyNode, cudaGraphNode_t)
CUDA_API(cudaDeviceGraphMemTrim, int)
CUDA_API(cudaDeviceGetGraphMemAttribute, int, cudaGraphMemAttributeType, void *)
CUDA_API(cudaDeviceSetGraphMemAttribute, int, cudaGraphMemAttributeType, void *)
#undef CPUCC_GRAPH_NODE

/* Functions for several devices and several processes. There is always one process. */
typedef struct cudaIpcMemHandle_st {
    char reserved[64];
} cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st {
    char reserved[64];
} cudaIpcEventHandle_t;
typedef struct cudaMemPoolPtrExportData {
    char reserved[64];
} cudaMemPoolPtrExportData;
CUDA_API(cudaDeviceCanAccessPeer, int *, int, int)
CUDA_API(cudaDeviceEnablePeerAccess, int, unsigned)
CUDA_API(cudaDeviceDisablePeerAccess, int)
CUDA_API(cudaDeviceGetP2PAttribute, int *, cudaDeviceP2PAttr, int, int)
CUDA_API(cudaMemcpyPeer, void *, int, const void *, int, size_t)
CUDA_API(cudaMemcpyPeerAsync, void *, int, const void *, int, size_t,
         cudaStream_t stream CPUCC_OR(0))
CUDA_API(cudaIpcGetMemHandle, cudaIpcMemHandle_t *, void *)
CUDA_API(cudaIpcOpenMemHandle, void **, cudaIpcMemHandle_t, unsigned)
CUDA_API(cudaIpcCloseMemHandle, void *)
CUDA_API(cudaIpcGetEventHandle, cudaIpcEventHandle_t *, cudaEvent_t)
CUDA_API(cudaIpcOpenEventHandle, cudaEvent_t *, cudaIpcEventHandle_t)
CUDA_API(cudaMemPoolExportToShareableHandle, void *, cudaMemPool_t, cudaMemAllocationHandleType,
         unsigned)
CUDA_API(cudaMemPoolImportFromShareableHandle, cudaMemPool_t *, void *, cudaMemAllocationHandleType,
         unsigned)
CUDA_API(cudaMemPoolExportPointer, cudaMemPoolPtrExportData *, void *)
CUDA_API(cudaMemPoolImportPointer, void **, cudaMemPool_t, cudaMemPoolPtrExportData *)

/* The driver's functions. */
CUDA_API(cudaGetDriverEntryPoint, const char *, void **, unsigned long long,
         cudaDriverEntryPointQueryResult *)
CUDA_API(cudaGetDriverEntryPointByVersion, const char *, void **, unsigned, unsigned long long,
         cudaDriverEntryPointQueryResult *)
#undef CUDA_API
#ifdef __cplusplus
}
#endif

static inline cudaChannelFormatDesc cpucc_channels(int x, int y, int z, int w,
                                                   cudaChannelFormatKind kind)
{
    cudaChannelFormatDesc d = {x, y, z, w, kind};
    return d;
}
#ifndef __cplusplus
#define cudaCreateChannelDesc cpucc_channels
#endif
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth)
{
    cudaExtent e = {width, height, depth};
    return e;
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z)
{
    cudaPos p = {x, y, z};
    return p;
}
static inline cudaPitchedPtr make_cudaPitchedPtr(void *pointer, size_t pitch, size_t xsize,
                                                 size_t ysize)
{
    cudaPitchedPtr p = {pointer, pitch, xsize, ysize};
    return p;
}

#endif
