/* Runs graphs: one node after the other, in an order that the edges allow. */
#include <stdlib.h>
#include <string.h>
#include "../api/api.h"
#include "runtime_graph.h"

/* Fills rows of elements of 1, 2 or 4 bytes, as a memset node does. */
static cudaError_t set_rows(const cudaMemsetParams *p)
{
    size_t row = cpucc_product(p->width, p->elementSize, 1);
    NEED(p->pitch >= row || p->height <= 1);
    for (size_t y = 0; row && y < p->height; y++) {
        char *to = (char *)p->dst + y * p->pitch;
        cudaError_t e = cudaMemset(to, (int)p->value, row);
        if (e)
            return e;
        for (size_t x = 0; p->elementSize > 1 && x < row; x += p->elementSize)
            memcpy(to + x, &p->value, p->elementSize);
    }
    return cudaSuccess;
}

/* Runs a node. streams.c sees each node as a stream of its own, which cpucc_run_graph orders after
 * the streams of the node's dependencies. */
static cudaError_t run_node(cudaGraphNode_t n)
{
    switch (n->work.type) {
    case cudaGraphNodeTypeKernel:
        n->work.kernel.config.stream = (cudaStream_t)n;
        return cpucc_launch(n->work.kernel.stub, n->work.kernel.config, n->work.kernel.arguments);
    case cudaGraphNodeTypeMemcpy:
        if (n->work.three_dimensions)
            return cudaMemcpy3D(&n->work.copy_3d);
        return cpucc_copy_in_stream(&n->work.copy, n);
    case cudaGraphNodeTypeMemset: return set_rows(&n->work.set);
    case cudaGraphNodeTypeHost: return n->work.host.fn(n->work.host.userData), cudaSuccess;
    case cudaGraphNodeTypeGraph: return cpucc_run_graph(n->work.child, n);
    case cudaGraphNodeTypeConditional: return cpucc_run_conditional(n);
    case cudaGraphNodeTypeEventRecord: return cudaEventRecord(n->work.event, NULL);
    case cudaGraphNodeTypeMemAlloc:
        cpucc_reallocate(n->work.memory.p);
        cpucc_mark_allocated((uintptr_t)n->work.memory.p, n->work.memory.bytes, true, false);
        return cudaSuccess;
    case cudaGraphNodeTypeMemFree:
        if (!n->work.memory.bytes) /* another graph's memory, or cudaMalloc's */
            return cudaFree(n->work.memory.p);
        cpucc_mark_allocated((uintptr_t)n->work.memory.p, n->work.memory.bytes, false, false);
        return cudaSuccess;
    default: return cudaSuccess;
    }
}

static bool ready(const struct CUgraphNode_st *n)
{
    for (size_t i = 0; i < n->after_count; i++)
        if (!n->after[i]->done)
            return false;
    return true;
}

cudaError_t cpucc_run_graph(cudaGraph_t g, const void *stream)
{
    size_t done = 0;
    int before = cpucc_active_device;
    cudaError_t e = cudaSuccess;
    NEED_HANDLE(GRAPH, g);
    struct stream_point start = cpucc_point(stream);
    for (size_t i = 0; i < g->count; i++)
        g->node[i]->done = false;
    for (bool more = true; more && !e && done < g->count;) {
        more = false;
        for (size_t i = 0; i < g->count && !e; i++) {
            cudaGraphNode_t n = g->node[i];
            if (n->done || !ready(n))
                continue;
            cpucc_active_device = n->device;
            cpucc_stream_waits(n, start);
            for (size_t k = 0; k < n->after_count; k++)
                cpucc_stream_waits(n, cpucc_point(n->after[k]));
            e = n->disabled ? cudaSuccess : run_node(n);
            n->done = more = true;
            done++;
        }
    }
    cpucc_active_device = before;
    if (e)
        return e;
    for (size_t i = 0; i < g->count; i++)
        cpucc_stream_waits(stream, cpucc_point(g->node[i]));
    return done == g->count ? cudaSuccess : cpucc_error(cudaErrorInvalidValue); /* a cycle */
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *x, cudaGraph_t g,
                                          unsigned long long flags)
{
    NEED_HANDLE(GRAPH, g);
    NEED(x);
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        return cpucc_unsupported("cudaGraphInstantiateFlagDeviceLaunch");
    *x = cpucc_new_handle(EXEC, sizeof **x);
    return cudaGraphClone(&(*x)->graph, g);
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t x)
{
    NEED_HANDLE(EXEC, x);
    cudaGraphDestroy(x->graph);
    return cpucc_end_handle(x), cudaSuccess;
}

cudaError_t cudaGraphUpload(cudaGraphExec_t x, cudaStream_t s)
{
    NEED_STREAM(s);
    return cpucc_check_handle(x, EXEC);
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t x, cudaStream_t s)
{
    NEED_HANDLE(EXEC, x);
    NEED_STREAM(s);
    if (cpucc_capturing(s))
        return cpucc_capture(
            s, &(struct node_work){.type = cudaGraphNodeTypeGraph, .child = x->graph});
    cpucc_conditions_at_launch(x->graph);
    return cpucc_run_graph(x->graph, s);
}
