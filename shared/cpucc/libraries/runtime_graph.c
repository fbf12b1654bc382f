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
    return cudaSuccess;
}

void cpucc_drop_arguments(struct kernel_work *k)
{
    const uint64_t *bytes = cpucc_parameter_bytes(k->stub);
    for (int i = 0; bytes && k->arguments && bytes[i]; i++)
        free(k->arguments[i]);
    free(k->arguments);
    k->arguments = NULL;
}

cudaError_t cpucc_keep_arguments(struct kernel_work *k)
{
    const uint64_t *bytes = cpucc_parameter_bytes(k->stub);
    if (!bytes)
        return cpucc_error(cudaErrorInvalidDeviceFunction);
    size_t n = 0;
    for (; bytes[n]; n++)
        NEED(k->arguments && k->arguments[n]);
    void **kept = cpucc_nonnull(calloc(n + 1, sizeof *kept));
    for (size_t i = 0; i < n; i++)
        kept[i] = memcpy(cpucc_nonnull(malloc(bytes[i])), k->arguments[i], bytes[i]);
    k->arguments = kept;
    return cudaSuccess;
}

/* Replaces what the work refers to by copies. */
static cudaError_t keep(struct node_work *w)
{
    switch (w->type) {
    case cudaGraphNodeTypeKernel: return cpucc_keep_arguments(&w->kernel);
    case cudaGraphNodeTypeGraph: return cudaGraphClone(&w->child, w->child);
    case cudaGraphNodeTypeConditional: return cpucc_clone_conditional(&w->conditional);
    default: return cudaSuccess;
    }
}

static cudaGraphNode_t new_node(cudaGraph_t g, const cudaGraphNode_t *after, size_t count,
                                const struct node_work *work)
{
    cudaGraphNode_t n = cpucc_new_handle(NODE, sizeof *n);
    n->work = *work, n->graph = g, n->device = cpucc_active_device;
    n->after = cpucc_nonnull(calloc(count + 1, sizeof(cudaGraphNode_t)));
    n->after_count = count;
    for (size_t i = 0; i < count; i++)
        n->after[i] = after[i];
    return *ADD_TO(g->node, g->count) = n;
}

/* Returns the bytes of the graph's latest allocation at p; 0 if the graph did not allocate p. */
static size_t bytes_of(cudaGraph_t g, const void *p)
{
    for (size_t i = g->count; i-- > 0;)
        if (g->node[i]->work.type == cudaGraphNodeTypeMemAlloc && g->node[i]->work.memory.p == p)
            return g->node[i]->work.memory.bytes;
    return 0;
}

/* Kernels may use allocated memory only after its node has run and before the node that frees it. */
cudaError_t cpucc_add_node(cudaGraphNode_t *to, cudaGraph_t g, const cudaGraphNode_t *after,
                           size_t count, struct node_work *w)
{
    NEED_HANDLE(GRAPH, g);
    NEED(to && (after || !count));
    for (size_t i = 0; i < count; i++) {
        NEED_HANDLE(NODE, after[i]);
        NEED(after[i]->graph == g);
    }
    cudaError_t e = w->type == cudaGraphNodeTypeConditional ? cudaSuccess : keep(w);
    if (w->type == cudaGraphNodeTypeMemAlloc) {
        NEED(w->memory.bytes);
        e = cudaMalloc(&w->memory.p, w->memory.bytes);
        if (!e)
            cpucc_mark_allocated((uintptr_t)w->memory.p, w->memory.bytes, false, false);
    }
    if (w->type == cudaGraphNodeTypeMemFree) {
        NEED(w->memory.p);
        w->memory.bytes = bytes_of(g, w->memory.p);
    }
    if (!e)
        *to = new_node(g, after, count, w);
    return e;
}

void cpucc_drop_node(cudaGraphNode_t n)
{
    if (n->work.type == cudaGraphNodeTypeKernel)
        cpucc_drop_arguments(&n->work.kernel);
    if (n->work.type == cudaGraphNodeTypeGraph)
        cudaGraphDestroy(n->work.child);
    if (n->work.type == cudaGraphNodeTypeConditional)
        cpucc_drop_conditional(&n->work.conditional);
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
        struct node_work work = old->work;
        if ((e = keep(&work)))
            break;
        /* It comes after nodes of `from` until all are copied. */
        cudaGraphNode_t n = new_node(*to, old->after, old->after_count, &work);
        n->copied_from = old, n->disabled = old->disabled, n->device = old->device;
    }
    for (size_t i = 0; !e && i < (*to)->count; i++)
        for (size_t a = 0; a < (*to)->node[i]->after_count; a++)
            for (size_t k = 0; k < from->count; k++)
                if (from->node[k] == (*to)->node[i]->after[a])
                    (*to)->node[i]->after[a] = (*to)->node[k];
    return e;
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                   size_t count, const cudaKernelNodeParams *p)
{
    NEED(p);
    if (p->extra)
        return cpucc_unsupported("cudaKernelNodeParams::extra");
    struct node_work work = {.type = cudaGraphNodeTypeKernel, .kernel = work_of(p)};
    return cpucc_add_node(n, g, after, count, &work);
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *n, cudaGraph_t g,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind)
{
    struct node_work work = {.type = cudaGraphNodeTypeMemcpy,
                             .copy = {to, from, bytes, bytes, bytes, 1, kind, 0}};
    return cpucc_add_node(n, g, after, count, &work);
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                  size_t count)
{
    return cpucc_add_node(n, g, after, count, &(struct node_work){.type = cudaGraphNodeTypeEmpty});
}

/* Defines a function that adds a node, with one more parameter. */
#define ADD(name, parameter, condition, ...)                                                       \
    cudaError_t cudaGraphAdd##name##Node(cudaGraphNode_t *n, cudaGraph_t g,                        \
                                         const cudaGraphNode_t *after, size_t count, parameter)    \
    {                                                                                              \
        NEED(condition);                                                                           \
        return cpucc_add_node(n, g, after, count, &(struct node_work){__VA_ARGS__});               \
    }
ADD(Memcpy, const cudaMemcpy3DParms *p, p, cudaGraphNodeTypeMemcpy, true, .copy_3d = *p)
ADD(Memset, const cudaMemsetParams *p, p &&is_fill(p), cudaGraphNodeTypeMemset, .set = *p)
ADD(Host, const cudaHostNodeParams *p, p && p->fn, cudaGraphNodeTypeHost, .host = *p)
ADD(ChildGraph, cudaGraph_t child, true, cudaGraphNodeTypeGraph, .child = child)
ADD(EventRecord, cudaEvent_t e, cpucc_is_live(e, EVENT), cudaGraphNodeTypeEventRecord, .event = e)
ADD(EventWait, cudaEvent_t e, cpucc_is_live(e, EVENT), cudaGraphNodeTypeWaitEvent, .event = e)
ADD(MemFree, void *p, true, cudaGraphNodeTypeMemFree, .memory.p = p)

/* Sets p->dptr at once. */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *n, cudaGraph_t g,
                                     const cudaGraphNode_t *after, size_t count,
                                     cudaMemAllocNodeParams *p)
{
    NEED(p);
    struct node_work work = {.type = cudaGraphNodeTypeMemAlloc, .memory.bytes = p->bytesize};
    cudaError_t e = cpucc_add_node(n, g, after, count, &work);
    return p->dptr = work.memory.p, e;
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
        *ADD_TO(n->after, n->after_count) = from[i];
    }
    return cudaSuccess;
}
