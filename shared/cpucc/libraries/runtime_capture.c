/*
 * Captures: adds a stream's work to a graph instead of running it. The API calls the functions of
 * the table `capture`, which it gets when a first capture begins.
 */
#include "../api/api.h"
#include "runtime_graph.h"

/* Makes later work of the stream depend on node n alone. */
static void now_behind(cudaStream_t s, cudaGraphNode_t n)
{
    s->tail = (struct capture_tail){{n}, 1};
    n->device = s->device;
}

/* Adds a node behind the stream's earlier work, and sets *n. */
static cudaError_t follow(cudaStream_t s, cudaGraphNodeType type, cudaGraphNode_t *n)
{
    cudaError_t e = cpucc_add_node(n, s->capture, type, s->tail.node, s->tail.count);
    if (!e)
        now_behind(s, *n);
    return e;
}

static cudaError_t capture_kernel(cudaStream_t s, const struct kernel_work *work)
{
    struct kernel_work kept;
    cudaGraphNode_t n;
    cudaError_t e = cpucc_keep_kernel(&kept, work);
    if (!e)
        e = follow(s, cudaGraphNodeTypeKernel, &n);
    if (!e)
        n->u.kernel = kept;
    return e;
}
static cudaError_t capture_copy(cudaStream_t s, const struct copy_work *work)
{
    cudaGraphNode_t n;
    cudaError_t e = follow(s, cudaGraphNodeTypeMemcpy, &n);
    if (!e)
        n->u.copy = *work;
    return e;
}
static cudaError_t capture_copy_3d(cudaStream_t s, const cudaMemcpy3DParms *p)
{
    cudaGraphNode_t n;
    cudaError_t e = follow(s, cudaGraphNodeTypeMemcpy, &n);
    if (!e)
        n->three_dimensions = true, n->u.copy_3d = *p;
    return e;
}
static cudaError_t capture_set(cudaStream_t s, const cudaMemsetParams *p)
{
    cudaGraphNode_t n;
    cudaError_t e = follow(s, cudaGraphNodeTypeMemset, &n);
    if (!e)
        n->u.set = *p;
    return e;
}
static cudaError_t capture_host(cudaStream_t s, cudaHostFn_t function, void *data)
{
    cudaGraphNode_t n;
    cudaError_t e = follow(s, cudaGraphNodeTypeHost, &n);
    if (!e)
        n->u.host = (cudaHostNodeParams){function, data};
    return e;
}
static cudaError_t capture_event(cudaStream_t s, cudaEvent_t event)
{
    cudaGraphNode_t n;
    cudaError_t e = follow(s, cudaGraphNodeTypeEventRecord, &n);
    if (!e)
        n->u.event = event;
    return e;
}
static cudaError_t capture_alloc(cudaStream_t s, void **p, size_t bytes)
{
    cudaMemAllocNodeParams how = {.bytesize = bytes};
    cudaGraphNode_t n;
    cudaError_t e = cudaGraphAddMemAllocNode(&n, s->capture, s->tail.node, s->tail.count, &how);
    *p = how.dptr;
    if (!e)
        now_behind(s, n);
    return e;
}
static cudaError_t capture_free(cudaStream_t s, void *p)
{
    cudaGraphNode_t n;
    cudaError_t e = cudaGraphAddMemFreeNode(&n, s->capture, s->tail.node, s->tail.count, p);
    if (!e)
        now_behind(s, n);
    return e;
}
cudaError_t cpucc_capture_graph(cudaStream_t s, cudaGraphExec_t x)
{
    cudaGraphNode_t n;
    cudaError_t e =
        cudaGraphAddChildGraphNode(&n, s->capture, s->tail.node, s->tail.count, x->graph);
    if (!e)
        now_behind(s, n);
    return e;
}

static const struct capture capture = {capture_kernel, capture_copy, capture_copy_3d,
                                       capture_set,    capture_host, capture_event,
                                       capture_alloc,  capture_free};

/* ---- beginning and ending ---- */

static cudaError_t begin(cudaStream_t s, cudaGraph_t graph, cudaStreamCaptureMode mode)
{
    cpucc_capture = &capture;
    s->capture = graph, s->tail.count = 0, s->mode = mode, s->origin = true;
    return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t s, cudaStreamCaptureMode mode)
{
    cudaGraph_t graph;
    NEED_STREAM(s);
    NEED((unsigned)mode <= cudaStreamCaptureModeRelaxed);
    if (!cpucc_stream_record(s))
        return cpucc_error(cudaErrorStreamCaptureUnsupported);
    if (s->capture)
        return cpucc_error(cudaErrorIllegalState);
    cudaError_t e = cudaGraphCreate(&graph, 0);
    return e ? e : begin(s, graph, mode);
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t s, cudaGraph_t graph,
                                          const cudaGraphNode_t *after, const void *data,
                                          size_t count, cudaStreamCaptureMode mode)
{
    (void)data;
    NEED_STREAM(s);
    NEED_HANDLE(GRAPH, graph);
    NEED((unsigned)mode <= cudaStreamCaptureModeRelaxed && (after || !count));
    if (!cpucc_stream_record(s) || s->capture)
        return cpucc_error(cudaErrorStreamCaptureUnsupported);
    begin(s, graph, mode);
    for (size_t i = 0; i < count; i++)
        if (!cpucc_capture_behind(s, after[i]))
            return cpucc_unsupported("capture behind so many nodes");
    return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t s, cudaGraph_t *graph)
{
    NEED_STREAM(s);
    if (!cpucc_stream_record(s) || !s->capture || !s->origin)
        return cpucc_error(cudaErrorStreamCaptureUnmatched);
    cudaGraph_t done = s->capture;
    if (graph)
        *graph = cpucc_capturing(s);
    for (struct CUstream_st *r = cpucc_all_streams; r; r = r->next)
        if (r->capture == done)
            r->capture = NULL, r->origin = false, r->tail.count = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamIsCapturing(cudaStream_t s, cudaStreamCaptureStatus *status)
{
    NEED_STREAM(s);
    return GIVE(status,
                cpucc_capturing(s) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone);
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t s, cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **after, size_t *count)
{
    NEED_STREAM(s);
    cudaGraph_t g = cpucc_capturing(s);
    cudaError_t e = cudaStreamIsCapturing(s, status);
    if (e)
        return e;
    if (id)
        *id = (uintptr_t)g;
    if (graph)
        *graph = g;
    if (after)
        *after = g && s->tail.count ? s->tail.node : NULL;
    if (count)
        *count = g ? s->tail.count : 0;
    return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t s, cudaGraphNode_t *nodes,
                                                size_t count, unsigned flags)
{
    NEED_STREAM(s);
    NEED(nodes || !count);
    if (!cpucc_capturing(s))
        return cpucc_error(cudaErrorIllegalState);
    if (flags & 1) /* cudaStreamSetCaptureDependencies */
        s->tail.count = 0;
    for (size_t i = 0; i < count; i++)
        if (!cpucc_capture_behind(s, nodes[i]))
            return cpucc_unsupported("capture behind so many nodes");
    return cudaSuccess;
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *mode)
{
    return GIVE(mode, cudaStreamCaptureModeGlobal);
}
