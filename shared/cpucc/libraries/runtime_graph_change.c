/* Queries and changes graphs and their nodes. */
#include <stdlib.h>
#include <string.h>
#include "runtime_graph.h"

/* Returns the graph's copy of a node, or NULL. */
static cudaGraphNode_t copied(cudaGraph_t g, cudaGraphNode_t of)
{
    for (size_t i = 0; i < g->count; i++)
        if (g->node[i]->copied_from == of)
            return g->node[i];
    return NULL;
}

/* The same of an executable graph; NULL also if the graph is not live. */
static cudaGraphNode_t copy_in(cudaGraphExec_t x, cudaGraphNode_t of)
{
    return cpucc_is_live(x, EXEC) ? copied(x->graph, of) : NULL;
}

static cudaError_t set_kernel(cudaGraphNode_t n, const cudaKernelNodeParams *p)
{
    NEED_HANDLE(NODE, n);
    NEED(p && n->work.type == cudaGraphNodeTypeKernel);
    struct kernel_work work = work_of(p);
    cudaError_t e = cpucc_keep_arguments(&work);
    if (!e) {
        cpucc_drop_arguments(&n->work.kernel);
        n->work.kernel = work;
    }
    return e;
}

cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t n, const cudaKernelNodeParams *p)
{
    return set_kernel(n, p);
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t x, cudaGraphNode_t n,
                                             const cudaKernelNodeParams *p)
{
    return set_kernel(copy_in(x, n), p);
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t n, cudaKernelNodeParams *p)
{
    NEED_HANDLE(NODE, n);
    NEED(p && n->work.type == cudaGraphNodeTypeKernel);
    const struct kernel_work *k = &n->work.kernel;
    *p = (cudaKernelNodeParams){(void *)k->stub, k->config.grid,
                                k->config.block, (unsigned)k->config.shared,
                                k->arguments,    NULL};
    return cudaSuccess;
}

#define SETTER(name, T, kind, field, right)                                                        \
    cudaError_t cudaGraph##name##NodeSetParams(cudaGraphNode_t n, const T *p)                      \
    {                                                                                              \
        NEED_HANDLE(NODE, n);                                                                      \
        NEED(p && (right) && n->work.type == kind);                                                \
        n->work.field = *p;                                                                        \
        return cudaSuccess;                                                                        \
    }                                                                                              \
    cudaError_t cudaGraphExec##name##NodeSetParams(cudaGraphExec_t x, cudaGraphNode_t n,           \
                                                   const T *p)                                     \
    {                                                                                              \
        return cudaGraph##name##NodeSetParams(copy_in(x, n), p);                                   \
    }
SETTER(Memset, cudaMemsetParams, cudaGraphNodeTypeMemset, set, is_fill(p))
SETTER(Host, cudaHostNodeParams, cudaGraphNodeTypeHost, host, p->fn)

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t x, cudaGraphNode_t of, void *to,
                                               const void *from, size_t bytes, cudaMemcpyKind kind)
{
    cudaGraphNode_t n = copy_in(x, of);
    if (!n || n->work.type != cudaGraphNodeTypeMemcpy)
        return cpucc_error(cudaErrorInvalidValue);
    n->work.three_dimensions = false;
    n->work.copy = (struct copy_work){to, from, bytes, bytes, bytes, 1, kind, 0};
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
    NEED_HANDLE(EXEC, x);
    NEED_HANDLE(GRAPH, g);
    NEED(info);
    *info = (cudaGraphExecUpdateResultInfo){cudaGraphExecUpdateSuccess, NULL, NULL};
    if (x->graph->count != g->count)
        info->result = cudaGraphExecUpdateErrorTopologyChanged;
    for (size_t i = 0; !info->result && i < g->count; i++) {
        info->errorFromNode = g->node[i];
        if (x->graph->node[i]->work.type != g->node[i]->work.type)
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
    NEED(capacity);
    for (size_t i = 0; to && i < *capacity; i++)
        to[i] = i < n ? from[i] : NULL;
    if (!to || *capacity > n)
        *capacity = n;
    return cudaSuccess;
}

cudaError_t cudaGraphGetNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *count)
{
    NEED_HANDLE(GRAPH, g);
    return list(nodes, count, g->node, g->count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t g, cudaGraphNode_t *nodes, size_t *count)
{
    NEED_HANDLE(GRAPH, g);
    cudaGraphNode_t *roots = cpucc_nonnull(calloc(g->count + 1, sizeof(cudaGraphNode_t)));
    size_t n = 0;
    for (size_t i = 0; i < g->count; i++)
        if (!g->node[i]->after_count)
            roots[n++] = g->node[i];
    cudaError_t e = list(nodes, count, roots, n);
    free(roots);
    return e;
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t n, cudaGraphNode_t *nodes, size_t *count)
{
    NEED_HANDLE(NODE, n);
    return list(nodes, count, n->after, n->after_count);
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t n, cudaGraphNodeType *type)
{
    NEED_HANDLE(NODE, n);
    return GIVE(type, n->work.type);
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *n, cudaGraphNode_t of, cudaGraph_t clone)
{
    NEED_HANDLE(GRAPH, clone);
    NEED(copied(clone, of));
    return GIVE(n, copied(clone, of));
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t n)
{
    NEED_HANDLE(NODE, n);
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
    cpucc_drop_node(n);
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
    NEED(value);
    *(uint64_t *)value = 0;
    return device ? cpucc_error(cudaErrorInvalidDevice) : cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType a, void *value)
{
    (void)a, (void)value;
    return device ? cpucc_error(cudaErrorInvalidDevice) : cudaSuccess;
}
