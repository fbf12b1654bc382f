/*
 * Builds, queries and changes graphs of kernels, copies, fills, host functions, allocations, child
 * graphs and conditional nodes (runtime_condition.c). runtime_capture.c adds nodes by capture,
 * runtime_graph_run.c runs graphs. A node depends on earlier nodes of the list;
 * cudaGraphAddDependencies may make it depend on later ones.
 */
#include <stdlib.h>
#include <string.h>
#include "../api/runtime.h"
#include "runtime_graph.h"

/* ---- building ---- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
    (void)flags;
    cpucc_device_start();
    *graph = calloc(1, sizeof **graph);
    return *graph ? cudaSuccess : cpucc_error(cudaErrorMemoryAllocation);
}

static void drop_arguments(struct kernel_work *k)
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
    while (bytes[n])
        n++;
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

cudaGraphNode_t cpucc_new_node(cudaGraph_t g, cudaGraphNodeType type, const cudaGraphNode_t *after,
                               size_t count)
{
    cudaGraphNode_t n = cpucc_must(calloc(1, sizeof *n));
    if (g->count == g->capacity) {
        g->capacity = 2 * g->capacity + 16;
        g->node = cpucc_must(realloc(g->node, g->capacity * sizeof(cudaGraphNode_t)));
    }
    n->type = type, n->graph = g;
    n->after = calloc(count + 1, sizeof(cudaGraphNode_t));
    for (size_t i = 0; n->after && i < count; i++)
        n->after[n->after_count++] = after[i];
    return g->node[g->count++] = n;
}

static void drop_node(cudaGraphNode_t n)
{
    if (n->type == cudaGraphNodeTypeKernel)
        drop_arguments(&n->u.kernel);
    if (n->type == cudaGraphNodeTypeGraph) {
        extern cudaError_t cudaGraphDestroy(cudaGraph_t);
        cudaGraphDestroy(n->u.child);
    }
    if (n->type == cudaGraphNodeTypeConditional)
        cpucc_drop_conditional(&n->u.conditional);
    free(n->after);
    free(n);
}

cudaError_t cudaGraphDestroy(cudaGraph_t g)
{
    for (size_t i = 0; g && i < g->count; i++)
        drop_node(g->node[i]);
    if (g)
        free(g->node);
    free(g);
    return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t from)
{
    cudaError_t e = cudaGraphCreate(to, 0);
    if (!e)
        (*to)->conditions = from->conditions;
    for (size_t i = 0; !e && i < from->count; i++) {
        const struct CUgraphNode_st *old = from->node[i];
        cudaGraphNode_t n = cpucc_new_node(*to, old->type, NULL, 0);
        n->u = old->u, n->three_dimensions = old->three_dimensions, n->copied_from = old;
        n->disabled = old->disabled;
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

typedef struct { /* as cudaKernelNodeParams in cpucc_host.h */
    const void *stub;
    index3 grid, block;
    unsigned shared;
    void **arguments, **extra;
} kernel_parameters;

static struct kernel_work work_of(const kernel_parameters *p)
{
    return (struct kernel_work){
        p->stub, {"", p->grid, p->block, {1, 1, 1}, p->shared, NULL, 0, 0, 0}, p->arguments};
}

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                   size_t count, const kernel_parameters *p)
{
    struct kernel_work work = work_of(p), kept;
    if (p->extra)
        return cpucc_unsupported("cudaKernelNodeParams::extra");
    cudaError_t e = cpucc_keep_kernel(&kept, &work);
    if (e)
        return e;
    *n = cpucc_new_node(g, cudaGraphNodeTypeKernel, after, count);
    (*n)->u.kernel = kept;
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *n, cudaGraph_t g,
                                     const cudaGraphNode_t *after, size_t count, void *to,
                                     const void *from, size_t bytes, cudaMemcpyKind kind)
{
    *n = cpucc_new_node(g, cudaGraphNodeTypeMemcpy, after, count);
    (*n)->u.copy = (struct copy_work){to, from, bytes, bytes, bytes, 1, kind};
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                   size_t count, const cudaMemcpy3DParms *p)
{
    *n = cpucc_new_node(g, cudaGraphNodeTypeMemcpy, after, count);
    (*n)->three_dimensions = true;
    (*n)->u.copy_3d = *p;
    return cudaSuccess;
}

cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                   size_t count, const cudaMemsetParams *p)
{
    *n = cpucc_new_node(g, cudaGraphNodeTypeMemset, after, count);
    (*n)->u.set = *p;
    return cudaSuccess;
}

cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                 size_t count, const cudaHostNodeParams *p)
{
    *n = cpucc_new_node(g, cudaGraphNodeTypeHost, after, count);
    (*n)->u.host = *p;
    return cudaSuccess;
}

cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                  size_t count)
{
    *n = cpucc_new_node(g, cudaGraphNodeTypeEmpty, after, count);
    return cudaSuccess;
}

cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *n, cudaGraph_t g,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child)
{
    cudaGraph_t copy;
    cudaError_t e = cudaGraphClone(&copy, child);
    if (e)
        return e;
    *n = cpucc_new_node(g, cudaGraphNodeTypeGraph, after, count);
    (*n)->u.child = copy;
    return cudaSuccess;
}

cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *n, cudaGraph_t g,
                                        const cudaGraphNode_t *after, size_t count,
                                        cudaEvent_t event)
{
    *n = cpucc_new_node(g, cudaGraphNodeTypeEventRecord, after, count);
    (*n)->u.event = event;
    return cudaSuccess;
}

cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *n, cudaGraph_t g,
                                      const cudaGraphNode_t *after, size_t count, cudaEvent_t event)
{
    *n = cpucc_new_node(g, cudaGraphNodeTypeWaitEvent, after, count);
    (*n)->u.event = event;
    return cudaSuccess;
}

/* Sets p->dptr at once. Kernels may use the memory only after this node has run and before the node
 * that frees it. */
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *n, cudaGraph_t g,
                                     const cudaGraphNode_t *after, size_t count,
                                     cudaMemAllocNodeParams *p)
{
    cudaError_t e = cudaMalloc(&p->dptr, p->bytesize);
    if (e)
        return e;
    *n = cpucc_new_node(g, cudaGraphNodeTypeMemAlloc, after, count);
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
    *n = cpucc_new_node(g, cudaGraphNodeTypeMemFree, after, count);
    (*n)->u.memory.p = p;
    (*n)->u.memory.bytes = bytes_of(g, p);
    return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t g, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, size_t count)
{
    (void)g;
    for (size_t i = 0; i < count; i++) {
        cudaGraphNode_t n = to[i];
        n->after = realloc(n->after, (n->after_count + 2) * sizeof(cudaGraphNode_t));
        if (!n->after)
            return cpucc_error(cudaErrorMemoryAllocation);
        n->after[n->after_count++] = from[i];
    }
    return cudaSuccess;
}

/* ---- querying and changing ---- */

/* Returns the executable graph's copy of a node, or NULL. */
static cudaGraphNode_t copy_in(cudaGraphExec_t x, cudaGraphNode_t of)
{
    for (size_t i = 0; i < x->graph->count; i++)
        if (x->graph->node[i]->copied_from == of)
            return x->graph->node[i];
    return NULL;
}

static cudaError_t set_kernel(cudaGraphNode_t n, const kernel_parameters *p)
{
    struct kernel_work work = work_of(p), kept;
    if (!n || n->type != cudaGraphNodeTypeKernel)
        return cpucc_error(cudaErrorInvalidValue);
    cudaError_t e = cpucc_keep_kernel(&kept, &work);
    if (!e) {
        drop_arguments(&n->u.kernel);
        n->u.kernel = kept;
    }
    return e;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t n, const kernel_parameters *p)
{
    return set_kernel(n, p);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t n,
                                             const kernel_parameters *p)
{
    return set_kernel(copy_in(x, n), p);
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t n, kernel_parameters *p)
{
    if (n->type != cudaGraphNodeTypeKernel)
        return cpucc_error(cudaErrorInvalidValue);
    const struct kernel_work *k = &n->u.kernel;
    *p = (kernel_parameters){
        k->stub, k->config.grid, k->config.block, (unsigned)k->config.shared, k->arguments, NULL};
    return cudaSuccess;
}

#define SETTER(name, T, kind, field)                                                               \
    cudaError_t cudaGraph##name##NodeSetParams(cudaGraphNode_t n, const T *p)                      \
    {                                                                                              \
        if (n->type != kind)                                                                       \
            return cpucc_error(cudaErrorInvalidValue);                                             \
        n->u.field = *p;                                                                           \
        return cudaSuccess;                                                                        \
    }                                                                                              \
    cudaError_t cudaGraphExec##name##NodeSetParams(cudaGraphExec_t x, cudaGraphNode_t n,           \
                                                   const T *p)                                     \
    {                                                                                              \
        cudaGraphNode_t copy = copy_in(x, n);                                                      \
        return copy ? cudaGraph##name##NodeSetParams(copy, p)                                      \
                    : cpucc_error(cudaErrorInvalidValue);                                          \
    }
SETTER(Memset, cudaMemsetParams, cudaGraphNodeTypeMemset, set)
SETTER(Host, cudaHostNodeParams, cudaGraphNodeTypeHost, host)

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t x, cudaGraphNode_t of, void *to,
                                               const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaGraphNode_t n = copy_in(x, of);
    if (!n || n->type != cudaGraphNodeTypeMemcpy)
        return cpucc_error(cudaErrorInvalidValue);
    n->three_dimensions = false;
    n->u.copy = (struct copy_work){to, from, bytes, bytes, bytes, 1, kind};
    return cudaSuccess;
}

cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t x, cudaGraphNode_t of, unsigned enabled)
{
    cudaGraphNode_t n = copy_in(x, of);
    if (!n)
        return cpucc_error(cudaErrorInvalidValue);
    n->disabled = !enabled;
    return cudaSuccess;
}

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t x, cudaGraph_t g,
                                cudaGraphExecUpdateResultInfo *info)
{
    *info = (cudaGraphExecUpdateResultInfo){cudaGraphExecUpdateSuccess, NULL, NULL};
    if (x->graph->count != g->count)
        info->result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; !info->result && i < g->count; i++) {
        info->errorFromNode = g->node[i];
        if (x->graph->node[i]->type != g->node[i]->type)
            info->result = cudaGraphExecUpdateErrorNodeTypeChanged;
    }
    if (info->result)
        return cpucc_error(cudaErrorGraphExecUpdateFailure);
    info->errorFromNode = NULL;
    cudaGraph_t copy;
    cudaError_t e = cudaGraphClone(&copy, g);
    if (e)
        return e;
    for (size_t i = 0; i < g->count; i++) /* handles of the first graph stay valid */
        copy->node[i]->copied_from = x->graph->node[i]->copied_from;
    cudaGraphDestroy(x->graph);
    x->graph = copy;
    return cudaSuccess;
}

/* Without `to`, sets *capacity to n. Else copies at most *capacity entries and sets *capacity to
 * their number. */
static cudaError_t list(cudaGraphNode_t *to, size_t *capacity, cudaGraphNode_t *from, size_t n)
{
    for (size_t i = 0; to && i < *capacity; i++)
        to[i] = i < n ? from[i] : NULL;
    if (!to || *capacity > n)
        *capacity = n;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *count)
{
    return list(nodes, count, g->node, g->count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *count)
{
    cudaGraphNode_t *roots = calloc(g->count + 1, sizeof(cudaGraphNode_t));
    size_t n = 0;
    for (size_t i = 0; roots && i < g->count; i++)
        if (!g->node[i]->after_count)
            roots[n++] = g->node[i];
    cudaError_t e = list(nodes, count, roots, n);
    free(roots);
    return e;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t n, cudaGraphNode_t *nodes, size_t *count)
{
    return list(nodes, count, n->after, n->after_count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t n, cudaGraphNodeType *type)
{
    return *type = n->type, cudaSuccess;
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *n, cudaGraphNode_t of, cudaGraph_t clone)
{
    for (size_t i = 0; i < clone->count; i++)
        if (clone->node[i]->copied_from == of)
            return *n = clone->node[i], cudaSuccess;
    return cpucc_error(cudaErrorInvalidValue);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t n)
{
    cudaGraph_t g = n->graph;
    size_t kept = 0;
    for (size_t i = 0; i < g->count; i++) {
        cudaGraphNode_t other = g->node[i];
        size_t edges = 0;
        if (other == n)
            continue;
        for (size_t a = 0; a < other->after_count; a++)
            if (other->after[a] != n)
                other->after[edges++] = other->after[a];
        other->after_count = edges;
        g->node[kept++] = other;
    }
    g->count = kept;
    drop_node(n);
    return cudaSuccess;
}

/* ---- memory of graphs: queries of its amount return 0 ---- */

cudaError_t cudaDeviceGraphMemTrim(int device)
{
    return device ? cpucc_error(cudaErrorInvalidDevice) : cudaSuccess;
}
cudaError_t cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType a, void *value)
{
    (void)a;
    *(uint64_t *)value = 0;
    return device ? cpucc_error(cudaErrorInvalidDevice) : cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType a, void *value)
{
    (void)a, (void)value;
    return device ? cpucc_error(cudaErrorInvalidDevice) : cudaSuccess;
}
