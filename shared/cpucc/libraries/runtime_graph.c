/*
 * Builds graphs of kernels, copies, fills, host functions, allocations, child
 * graphs and conditional nodes (runtime_condition.c). runtime_capture.c adds nodes by capture,
 * runtime_graph_change.c queries and changes graphs, runtime_graph_run.c runs them. A node depends on earlier nodes of the list;
 * cudaGraphAddDependencies may make it depend on later ones.
 */
#include <stdlib.h>
#include <string.h>
#include "../api/api.h"
#include "runtime_graph.h"

/* ---- building ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    (void)flags;
    NEED(graph);
    cpucc_device_start();
    *graph = cpucc_new_handle(GRAPH, sizeof **graph);
    return *graph ? cudaSuccess : cudaErrorMemoryAllocation;
}

void cpucc_drop_arguments(struct kernel_work *k)
{
    const uint64_t *bytes = cpucc_parameter_bytes(k->stub);
    for (int i = 0; bytes && k->arguments && bytes[i]; i++)
        free(k->arguments[i]);
    free(k->arguments);
    k->arguments = NULL;
}

/* Sets *to to a copy of the launch, with its arguments in memory of its own. */
cudaError_t cpucc_keep_kernel(struct kernel_work *to, const struct kernel_work *from)
{
    const uint64_t *bytes = cpucc_parameter_bytes(from->stub);
    if (!bytes)
        return cpucc_error(cudaErrorInvalidDeviceFunction);
    size_t n = 0;
    for (; bytes[n]; n++)
        NEED(from->arguments && from->arguments[n]);
    *to = *from;
    to->arguments = calloc(n + 1, sizeof *to->arguments);
    for (size_t i = 0; to->arguments && i < n; i++) {
        to->arguments[i] = malloc(bytes[i]);
        if (!to->arguments[i])
            return cpucc_error(cudaErrorMemoryAllocation);
        memcpy(to->arguments[i], from->arguments[i], bytes[i]);
    }
    return to->arguments ? cudaSuccess : cpucc_error(cudaErrorMemoryAllocation);
}

cudaError_t cpucc_add_node(cudaGraphNode_t *to, cudaGraph_t g, cudaGraphNodeType type,
                           const cudaGraphNode_t *after, size_t count)
{
    NEED_HANDLE(GRAPH, g);
    NEED(to && (after || !count));
    for (size_t i = 0; i < count; i++) {
        NEED_HANDLE(NODE, after[i]);
        NEED(after[i]->graph == g);
    }
    cudaGraphNode_t n = cpucc_nonnull(cpucc_new_handle(NODE, sizeof *n));
    if (g->count == g->capacity) {
        g->capacity = 2 * g->capacity + 16;
        g->node = cpucc_nonnull(realloc(g->node, g->capacity * sizeof(cudaGraphNode_t)));
    }
    n->type = type, n->graph = g, n->device = cpucc_active_device;
    n->after = cpucc_nonnull(calloc(count + 1, sizeof(cudaGraphNode_t)));
    for (size_t i = 0; i < count; i++)
        n->after[n->after_count++] = after[i];
    *to = g->node[g->count++] = n;
    return cudaSuccess;
}

void cpucc_drop_node(cudaGraphNode_t n)
{
    if (n->type == cudaGraphNodeTypeKernel)
        cpucc_drop_arguments(&n->u.kernel);
    if (n->type == cudaGraphNodeTypeGraph) {
        extern cudaError_t cudaGraphDestroy(cudaGraph_t);
        cudaGraphDestroy(n->u.child);
    }
    if (n->type == cudaGraphNodeTypeConditional)
        cpucc_drop_conditional(&n->u.conditional);
    free(n->after);
    cpucc_end_handle(n);
}

cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    NEED_HANDLE(GRAPH, g);
    for (size_t i = 0; i < g->count; i++)
        cpucc_drop_node(g->node[i]);
    free(g->node);
    return cpucc_end_handle(g), cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t from)
{
    NEED_HANDLE(GRAPH, from);
    cudaError_t e = cudaGraphCreate(to, 0);
    if (!e)
        (*to)->conditions = from->conditions;
    for (size_t i = 0; !e && i < from->count; i++) {
        const struct CUgraphNode_st *old = from->node[i];
        cudaGraphNode_t n;
        cpucc_add_node(&n, *to, old->type, NULL, 0);
        n->u = old->u, n->three_dimensions = old->three_dimensions, n->copied_from = old;
        n->disabled = old->disabled, n->device = old->device;
        free(n->after);
        n->after = calloc(old->after_count + 1, sizeof(cudaGraphNode_t));
        if (!n->after)
            return cpucc_error(cudaErrorMemoryAllocation);
        n->after_count = old->after_count;
        for (size_t a = 0; a < old->after_count; a++) /* nodes of `from` until all are copied */
            n->after[a] = old->after[a];
        if (old->type == cudaGraphNodeTypeKernel)
            e = cpucc_keep_kernel(&n->u.kernel, &old->u.kernel);
        if (old->type == cudaGraphNodeTypeGraph)
            e = cudaGraphClone(&n->u.child, old->u.child);
        if (old->type == cudaGraphNodeTypeConditional)
            e = cpucc_clone_conditional(&n->u.conditional, &old->u.conditional);
    }
    for (size_t i = 0; !e && i < (*to)->count; i++)
        for (size_t a = 0; a < (*to)->node[i]->after_count; a++)
            for (size_t k = 0; k < from->count; k++)
                if (from->node[k] == (*to)->node[i]->after[a])
                    (*to)->node[i]->after[a] = (*to)->node[k];
    return e;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                   size_t count, const kernel_parameters *p)
{
    NEED(p);
    struct kernel_work work = work_of(p), kept;
    if (p->extra)
        return cpucc_unsupported("cudaKernelNodeParams::extra");
    cudaError_t e = cpucc_keep_kernel(&kept, &work);
    if (!e)
        e = cpucc_add_node(n, g, cudaGraphNodeTypeKernel, after, count);
    if (!e)
        (*n)->u.kernel = kept;
    return e;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *n, cudaGraph_t g,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaError_t e = cpucc_add_node(n, g, cudaGraphNodeTypeMemcpy, after, count);
    if (!e)
        (*n)->u.copy = (struct copy_work){to, from, bytes, bytes, bytes, 1, kind, 0};
    return e;
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                   size_t count, const cudaMemcpy3DParms *p)
{
    NEED(p);
    cudaError_t e = cpucc_add_node(n, g, cudaGraphNodeTypeMemcpy, after, count);
    if (!e)
        (*n)->three_dimensions = true, (*n)->u.copy_3d = *p;
    return e;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                   size_t count, const cudaMemsetParams *p)
{
    NEED(p && is_fill(p));
    cudaError_t e = cpucc_add_node(n, g, cudaGraphNodeTypeMemset, after, count);
    if (!e)
        (*n)->u.set = *p;
    return e;
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                 size_t count, const cudaHostNodeParams *p)
{
    NEED(p && is_call(p));
    cudaError_t e = cpucc_add_node(n, g, cudaGraphNodeTypeHost, after, count);
    if (!e)
        (*n)->u.host = *p;
    return e;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                  size_t count)
{
    return cpucc_add_node(n, g, cudaGraphNodeTypeEmpty, after, count);
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *n, cudaGraph_t g,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child)
{
    cudaGraph_t copy;
    cudaError_t e = cudaGraphClone(&copy, child);
    if (!e)
        e = cpucc_add_node(n, g, cudaGraphNodeTypeGraph, after, count);
    if (!e)
        (*n)->u.child = copy;
    return e;
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *n, cudaGraph_t g,
                                        const cudaGraphNode_t *after, size_t count,
                                        cudaEvent_t event)
{
    NEED(cpucc_is_live(event, EVENT));
    cudaError_t e = cpucc_add_node(n, g, cudaGraphNodeTypeEventRecord, after, count);
    if (!e)
        (*n)->u.event = event;
    return e;
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *n, cudaGraph_t g,
                                      const cudaGraphNode_t *after, size_t count, cudaEvent_t event)
{
    NEED(cpucc_is_live(event, EVENT));
    cudaError_t e = cpucc_add_node(n, g, cudaGraphNodeTypeWaitEvent, after, count);
    if (!e)
        (*n)->u.event = event;
    return e;
}

/* Sets p->dptr at once. Kernels may use the memory only after this node has run and before the node
 * that frees it. */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *n, cudaGraph_t g,
                                     const cudaGraphNode_t *after, size_t count,
                                     cudaMemAllocNodeParams *p)
{
    NEED(p && p->bytesize);
    cudaError_t e = cpucc_add_node(n, g, cudaGraphNodeTypeMemAlloc, after, count);
    if (!e)
        e = cudaMalloc(&p->dptr, p->bytesize);
    if (e)
        return e;
    (*n)->u.memory.p = p->dptr;
    (*n)->u.memory.bytes = p->bytesize;
    cpucc_mark_allocated((uintptr_t)p->dptr, p->bytesize, false, false);
    return cudaSuccess;
}

/* Returns the bytes of the graph's latest allocation at p; 0 if the graph did not allocate p. */
static size_t bytes_of(cudaGraph_t g, const void *p)
{
    for (size_t i = g->count; i-- > 0;)
        if (g->node[i]->type == cudaGraphNodeTypeMemAlloc && g->node[i]->u.memory.p == p)
            return g->node[i]->u.memory.bytes;
    return 0;
}

cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                    size_t count, void *p)
{
    NEED(p);
    cudaError_t e = cpucc_add_node(n, g, cudaGraphNodeTypeMemFree, after, count);
    if (!e)
        (*n)->u.memory.p = p, (*n)->u.memory.bytes = bytes_of(g, p);
    return e;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    NEED_HANDLE(GRAPH, g);
    NEED(!count || (from && to));
    for (size_t i = 0; i < count; i++) {
        cudaGraphNode_t n = to[i];
        NEED_HANDLE(NODE, n);
        NEED_HANDLE(NODE, from[i]);
        NEED(n->graph == g && from[i]->graph == g);
        n->after = realloc(n->after, (n->after_count + 2) * sizeof(cudaGraphNode_t));
        if (!n->after)
            return cpucc_error(cudaErrorMemoryAllocation);
        n->after[n->after_count++] = from[i];
    }
    return cudaSuccess;
}
