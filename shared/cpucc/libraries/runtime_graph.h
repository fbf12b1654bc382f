/* Declares graphs and their nodes for the files that build and run them. */
#ifndef CPUCC_RUNTIME_GRAPH_H
#define CPUCC_RUNTIME_GRAPH_H

#include "../api/api.h"

/* The value that a conditional node reads. Its address is the handle that kernels get, and remains
 * valid until the program ends. */
struct condition {
    unsigned value, at_launch; /* at_launch: the value that each launch sets */
    bool set_at_launch;
    struct condition *next; /* of the same graph */
};

struct CUgraphNode_st {
    struct node_work work;
    cudaGraph_t graph;
    const struct CUgraphNode_st *copied_from;
    bool disabled, done;
    int device; /* that runs it */
    cudaGraphNode_t *after;
    size_t after_count;
};

struct CUgraph_st {
    cudaGraphNode_t *node;
    size_t count;
    struct condition *conditions; /* a list, the latest one first */
};

struct CUgraphExec_st {
    cudaGraph_t graph; /* a copy of the graph that was instantiated */
};

/* Adds a node behind nodes of the same graph, and sets *to; an error if an argument is wrong. The node owns what it
 * keeps: a launch's arguments and child graphs are copied, and memory is allocated for work->memory.p. */
cudaError_t cpucc_add_node(cudaGraphNode_t *to, cudaGraph_t g, const cudaGraphNode_t *after,
                           size_t count, struct node_work *work);
static inline struct kernel_work work_of(const cudaKernelNodeParams *p)
{
    return (struct kernel_work){
        p->func,
        {"", p->gridDim, p->blockDim, {1, 1, 1}, p->sharedMemBytes, NULL, 0, 0, 0},
        p->kernelParams};
}

/* Whether the parameters are those of a fill. */
static inline bool is_fill(const cudaMemsetParams *p)
{
    return p->dst && (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4);
}

void cpucc_drop_arguments(struct kernel_work *work); /* frees the launch's arguments */
void cpucc_drop_node(cudaGraphNode_t n);
cudaError_t cpucc_keep_arguments(struct kernel_work *work); /* replaces them by a copy */
cudaError_t cpucc_run_graph(cudaGraph_t g, const void *stream);

/* runtime_condition.c: conditional nodes. */
void cpucc_conditions_at_launch(cudaGraph_t g);             /* sets the values that a launch sets */
cudaError_t cpucc_clone_conditional(struct conditional *c); /* replaces its bodies by copies */
void cpucc_drop_conditional(struct conditional *c);
cudaError_t cpucc_run_conditional(cudaGraphNode_t n);

#endif
