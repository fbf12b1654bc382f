/*
 * What the files of the run-time API share: streams that may be capturing, and work that a graph
 * does later. device.c has devices, memory and errors; runtime_stream.c streams and events;
 * runtime_graph.c graphs; runtime_memory.c pools, registration and copies in three dimensions;
 * runtime_texture.c arrays, textures and surfaces; cublas.c what there is of cuBLAS.
 */
#ifndef CPUCC_RUNTIME_H
#define CPUCC_RUNTIME_H

#include "internal.h"

/* Nodes of a graph that the next one of a stream that captures comes after. */
struct behind {
    cudaGraphNode_t node[64];
    size_t count;
};

struct CUstream_st {
    cudaGraph_t capture; /* the graph that takes the stream's work, or NULL */
    struct behind behind;
    cudaStreamCaptureMode mode;
    bool origin; /* the capture began here */
    unsigned flags;
    int priority;
    struct CUstream_st *next; /* all streams */
};

/* The graph that this stream's work goes to instead of being done, or NULL. */
cudaGraph_t cpucc_capturing(cudaStream_t stream);

/* A launch: what a stub was called with. */
struct kernel_work {
    const void *stub;
    cpucc_config config;
    void **arguments;
};
/* launches.c: do it; and the bytes of each parameter of a kernel, 0 behind the last, or NULL. */
cudaError_t cpucc_launch(const void *stub, cpucc_config config, void **arguments);
const uint64_t *cpucc_parameter_bytes(const void *stub);

/* A copy of rows: height rows of width bytes. */
struct copy_work {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    cudaMemcpyKind kind;
};

cudaError_t cpucc_copy_in_stream(const struct copy_work *work, const void *stream, uintptr_t pc);

/* runtime_graph.c: add the work as a node that follows the stream's last. */
cudaError_t cpucc_capture_kernel(cudaStream_t stream, const struct kernel_work *work);
cudaError_t cpucc_capture_copy(cudaStream_t stream, const struct copy_work *work);
cudaError_t cpucc_capture_copy_3d(cudaStream_t stream, const cudaMemcpy3DParms *parameters);
cudaError_t cpucc_capture_set(cudaStream_t stream, const cudaMemsetParams *parameters);
cudaError_t cpucc_capture_host(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cpucc_capture_event(cudaStream_t stream, cudaEvent_t event);
cudaError_t cpucc_capture_alloc(cudaStream_t stream, void **p, size_t bytes);
cudaError_t cpucc_capture_free(cudaStream_t stream, void *p);
cudaError_t cpucc_capture_graph(cudaStream_t stream, cudaGraphExec_t graph);

/* A call for which there is no counterpart: says which on standard error, once for each name. */
cudaError_t cpucc_unsupported(const char *name);

/* As the functions of these names in device.c, for any stream. */
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaFree(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters);
cudaError_t cudaMemset(void *p, int v, size_t bytes);
cudaError_t cudaGetLastError(void);

#endif
