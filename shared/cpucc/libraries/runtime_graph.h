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

/* Of a conditional node: the type and the condition's value decide which bodies run, how often. */
struct conditional {
    struct condition *condition;
    cudaGraphConditionalNodeType type;
    unsigned count;
    cudaGraph_t *body;
};

struct CUgraphNode_st {
    cudaGraphNodeType type;
    cudaGraph_t graph;
    const struct CUgraphNode_st *copied_from;
    bool disabled, done;
    int device; /* that runs it */
    cudaGraphNode_t *after;
    size_t after_count;
    union {
        struct kernel_work kernel;
        struct copy_work copy;
        cudaMemcpy3DParms copy_3d;
        cudaMemsetParams set;
        cudaHostNodeParams host;
        cudaGraph_t child;
        cudaEvent_t event;
        struct conditional conditional;
        struct {
            void *p;
            size_t bytes;
        } memory;
    } u;
    bool three_dimensions; /* a copy by copy_3d */
};

struct CUgraph_st {
    cudaGraphNode_t *node;
    size_t count, capacity;
    struct condition *conditions; /* a list, the latest one first */
};

struct CUgraphExec_st {
    cudaGraph_t graph; /* a copy of the graph that was instantiated */
    bool free_on_launch;
};

/* Adds a node behind nodes of the same graph, and sets *to; an error if an argument is wrong. */
cudaError_t cpucc_add_node(cudaGraphNode_t *to, cudaGraph_t g, cudaGraphNodeType type,
                           const cudaGraphNode_t *after, size_t count);
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

/* Whether the parameters are those of a node of their kind. */
static inline bool is_fill(const cudaMemsetParams *p)
{
    return p->dst && (p->elementSize == 1 || p->elementSize == 2 || p->elementSize == 4);
}
static inline bool is_call(const cudaHostNodeParams *p) { return p->fn; }

void cpucc_drop_arguments(struct kernel_work *work); /* frees the launch's arguments */
void cpucc_drop_node(cudaGraphNode_t n);
/* Copies a launch, arguments included. */
cudaError_t cpucc_keep_kernel(struct kernel_work *to, const struct kernel_work *from);
cudaError_t cpucc_run_graph(cudaGraph_t g, const void *stream);

/* Adds the graph to the capturing stream's graph. */
cudaError_t cpucc_capture_graph(cudaStream_t stream, cudaGraphExec_t graph);

/* Calls of the run-time API that capture and running use. */
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags);
cudaError_t cudaGraphClone(cudaGraph_t *to, cudaGraph_t from);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *n, cudaGraph_t g,
                                     const cudaGraphNode_t *after, size_t count,
                                     cudaMemAllocNodeParams *p);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *n, cudaGraph_t g, const cudaGraphNode_t *after,
                                    size_t count, void *p);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *n, cudaGraph_t g,
                                       const cudaGraphNode_t *after, size_t count,
                                       cudaGraph_t child);

/* runtime_condition.c: conditional nodes. */
void cpucc_conditions_at_launch(cudaGraph_t g); /* sets the values that a launch sets */
cudaError_t cpucc_clone_conditional(struct conditional *to, const struct conditional *from);
void cpucc_drop_conditional(struct conditional *c);
cudaError_t cpucc_run_conditional(cudaGraphNode_t n);

#endif
