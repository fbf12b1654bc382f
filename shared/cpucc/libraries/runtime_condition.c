/*
 * Implements conditional nodes of graphs: if, while and switch (CUDA Programming Guide,
 * "Conditional Graph Nodes"). A kernel sets the value that the node reads when it runs.
 */
#include "runtime_graph.h"
#include <stdlib.h>

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t g,
                                             unsigned at_launch, unsigned flags)
{
    NEED_HANDLE(GRAPH, g);
    NEED(handle);
    struct condition *c = cpucc_new_handle(CONDITION, sizeof *c);
    c->value = c->at_launch = at_launch;
    c->set_at_launch = flags & cudaGraphCondAssignDefault;
    c->next = g->conditions;
    g->conditions = c;
    *handle = (cudaGraphConditionalHandle)(uintptr_t)c;
    return cudaSuccess;
}

/* Sets the condition's value; kernels call it. */
void cpucc_set_condition(cudaGraphConditionalHandle handle, unsigned value)
{
    if (cpucc_is_live((void *)(uintptr_t)handle, CONDITION))
        ((struct condition *)(uintptr_t)handle)->value = value;
}

void cpucc_conditions_at_launch(cudaGraph_t g)
{
    for (struct condition *c = g->conditions; c; c = c->next)
        if (c->set_at_launch)
            c->value = c->at_launch;
}

cudaError_t cpucc_add_conditional(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                  size_t count, cudaConditionalNodeParams *p)
{
    NEED_HANDLE(GRAPH, g);
    NEED(n && p && cpucc_is_live((void *)(uintptr_t)p->handle, CONDITION));
    if (p->size < 1 || p->size > 1 << 16 || (unsigned)p->type > cudaGraphCondTypeSwitch ||
        (p->type == cudaGraphCondTypeWhile && p->size > 1) ||
        (p->type == cudaGraphCondTypeIf && p->size > 2))
        return cpucc_error(cudaErrorInvalidValue);
    struct node_work work = {
        .type = cudaGraphNodeTypeConditional,
        .conditional = {(struct condition *)(uintptr_t)p->handle, p->type, p->size, NULL}};
    p->phGraph_out = work.conditional.body = cpucc_nonnull(calloc(p->size, sizeof(cudaGraph_t)));
    for (unsigned i = 0; i < p->size; i++)
        cudaGraphCreate(&p->phGraph_out[i], 0);
    return cpucc_add_node(n, g, after, count, &work);
}

cudaError_t cpucc_clone_conditional(struct conditional *c)
{
    const cudaGraph_t *from = c->body;
    c->body = cpucc_nonnull(calloc(c->count, sizeof(cudaGraph_t)));
    cudaError_t e = cudaSuccess;
    for (unsigned i = 0; !e && i < c->count; i++)
        e = cudaGraphClone(&c->body[i], from[i]);
    return e;
}

void cpucc_drop_conditional(struct conditional *c)
{
    for (unsigned i = 0; i < c->count; i++)
        cudaGraphDestroy(c->body[i]);
    free(c->body);
}

cudaError_t cpucc_run_conditional(cudaGraphNode_t n)
{
    const struct conditional *c = &n->work.conditional;
    unsigned value = c->condition->value, which = value;
    cudaError_t e = cudaSuccess;
    switch (c->type) {
    case cudaGraphCondTypeWhile:
        while (!e && c->condition->value)
            e = cpucc_run_graph(c->body[0], n);
        return e;
    case cudaGraphCondTypeIf: which = value ? 0 : 1; break;
    default: break;
    }
    return which < c->count ? cpucc_run_graph(c->body[which], n) : cudaSuccess;
}
