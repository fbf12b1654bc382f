/* Captures: adds a stream's work to a graph instead of running it. */
#include "../api/api.h"
#include "runtime_graph.h"

/* Adds a node behind the stream's earlier work; later work of the stream depends on this node alone. */
static cudaError_t capture(cudaStream_t s, struct node_work *work)
{
    cudaGraphNode_t n;
    cudaError_t e = cpucc_add_node(&n, s->capture, s->tail.node, s->tail.count, work);
    if (e)
        return e;
    s->tail = (struct capture_tail){{n}, 1};
    n->device = s->device;
    return cudaSuccess;
}

/* ---- beginning and ending ---- */

static cudaError_t begin(cudaStream_t s, cudaGraph_t graph)
{
    cpucc_capture = capture;
    s->capture = graph, s->tail.count = 0, s->origin = true;
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
    return e ? e : begin(s, graph);
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
    begin(s, graph);
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
