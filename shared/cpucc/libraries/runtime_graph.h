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
typedef struct { /* as cudaKernelNodeParams in cpucc_host.h */
    const void *stub;
    index3 grid, block;
    unsigned shared;
    void **arguments, **extra;
} kernel_parameters;

static inline struct kernel_work work_of(const kernel_parameters *p)
{
    return (struct kernel_work){
        p->stub, {"", p->grid, p->block, {1, 1, 1}, p->shared, NULL, 0, 0, 0}, p->arguments};
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

/* Calls of the run-time API that capture and running use. */
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t from);
cudaError_t cudaGraphDestroy(cudaGraph_t);

/* runtime_condition.c: conditional nodes. */
void cpucc_conditions_at_launch(cudaGraph_t g);             /* sets the values that a launch sets */
cudaError_t cpucc_clone_conditional(struct conditional *c); /* replaces its bodies by copies */
void cpucc_drop_conditional(struct conditional *c);
cudaError_t cpucc_run_conditional(cudaGraphNode_t n);

#endif
