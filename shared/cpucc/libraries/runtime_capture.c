/* Captures: adds a stream's work to a graph instead of running it. Used by runtime_stream.c. */
#include "../api/runtime.h"
#include "runtime_graph.h"

/* Makes later work of the stream depend on node n alone. */
static void now_behind(cudaStream_t s, cudaGraphNode_t n)
{
    s->tail = (struct capture_tail){{n}, 1};
}

/* Adds a node behind the stream's earlier work, and returns it. */
static cudaGraphNode_t follow(cudaStream_t s, cudaGraphNodeType type)
{
    cudaGraphNode_t n = cpucc_new_node(s->capture, type, s->tail.node, s->tail.count);
    now_behind(s, n);
    return n;
}

cudaError_t cpucc_capture_kernel(cudaStream_t s, const struct kernel_work *work)
{
    struct kernel_work kept;
    cudaError_t e = cpucc_keep_kernel(&kept, work);
    if (!e)
        follow(s, cudaGraphNodeTypeKernel)->u.kernel = kept;
    return e;
}
cudaError_t cpucc_capture_copy(cudaStream_t s, const struct copy_work *work)
{
    follow(s, cudaGraphNodeTypeMemcpy)->u.copy = *work;
    return cudaSuccess;
}
cudaError_t cpucc_capture_copy_3d(cudaStream_t s, const cudaMemcpy3DParms *p)
{
    cudaGraphNode_t n = follow(s, cudaGraphNodeTypeMemcpy);
    n->three_dimensions = true;
    n->u.copy_3d = *p;
    return cudaSuccess;
}
cudaError_t cpucc_capture_set(cudaStream_t s, const cudaMemsetParams *p)
{
    follow(s, cudaGraphNodeTypeMemset)->u.set = *p;
    return cudaSuccess;
}
cudaError_t cpucc_capture_host(cudaStream_t s, cudaHostFn_t function, void *data)
{
    follow(s, cudaGraphNodeTypeHost)->u.host = (cudaHostNodeParams){function, data};
    return cudaSuccess;
}
cudaError_t cpucc_capture_event(cudaStream_t s, cudaEvent_t event)
{
    follow(s, cudaGraphNodeTypeEventRecord)->u.event = event;
    return cudaSuccess;
}
cudaError_t cpucc_capture_alloc(cudaStream_t s, void **p, size_t bytes)
{
    cudaMemAllocNodeParams how = {.bytesize = bytes};
    cudaGraphNode_t n;
    cudaError_t e = cudaGraphAddMemAllocNode(&n, s->capture, s->tail.node, s->tail.count, &how);
    *p = how.dptr;
    if (!e)
        now_behind(s, n);
    return e;
}
cudaError_t cpucc_capture_free(cudaStream_t s, void *p)
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
