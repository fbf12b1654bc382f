/*
 * Declares the types and functions that the files of the run-time API share: capturing streams, and
 * the work that a graph runs later.
 *
 *   device.c           devices, functions, errors; device_memory.c: allocations, copies, fills
 *   runtime_stream.c   streams and events
 *   runtime_graph.c    graphs; runtime_capture.c, runtime_condition.c, runtime_graph_run.c
 *   runtime_memory.c   pools, registration, 3-D copies
 *   runtime_texture.c  arrays, textures, surfaces
 *   cublas.c           a subset of cuBLAS
 */
#ifndef CPUCC_RUNTIME_H
#define CPUCC_RUNTIME_H

#include "../core/internal.h"

/* The nodes that the next node captured from a stream depends on. */
struct capture_tail {
    cudaGraphNode_t node[64];
    size_t count;
};

struct CUstream_st {
    cudaGraph_t capture; /* the graph that records the stream's work, or NULL */
    struct capture_tail tail;
    cudaStreamCaptureMode mode;
    bool origin; /* the capture began here */
    unsigned flags;
    int priority;
    struct CUstream_st *next; /* list of all streams */
};

/* Returns the graph that records this stream's work, or NULL. */
cudaGraph_t cpucc_capturing(cudaStream_t stream);

/* A launch: the arguments that the host's code passed to a kernel's stub. */
struct kernel_work {
    const void *stub;
    cpucc_config config;
    void **arguments;
};
/* launches.c: runs the kernel. */
cudaError_t cpucc_launch(const void *stub, cpucc_config config, void **arguments);
/* launches.c: returns the bytes of each parameter, then 0; NULL for an unknown stub. */
const uint64_t *cpucc_parameter_bytes(const void *stub);

/* A copy of `height` rows of `width` bytes; pitches are in bytes. */
struct copy_work {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    cudaMemcpyKind kind;
};

/* Copies at once and notes the copy as an operation of the stream. */
cudaError_t cpucc_copy_in_stream(const struct copy_work *work, const void *stream, uintptr_t pc);

/* runtime_capture.c: each adds the work to the stream's graph, after the stream's last node. */
cudaError_t cpucc_capture_kernel(cudaStream_t stream, const struct kernel_work *work);
cudaError_t cpucc_capture_copy(cudaStream_t stream, const struct copy_work *work);
cudaError_t cpucc_capture_copy_3d(cudaStream_t stream, const cudaMemcpy3DParms *parameters);
cudaError_t cpucc_capture_set(cudaStream_t stream, const cudaMemsetParams *parameters);
cudaError_t cpucc_capture_host(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cpucc_capture_event(cudaStream_t stream, cudaEvent_t event);
cudaError_t cpucc_capture_alloc(cudaStream_t stream, void **p, size_t bytes);
cudaError_t cpucc_capture_free(cudaStream_t stream, void *p);
cudaError_t cpucc_capture_graph(cudaStream_t stream, cudaGraphExec_t graph);

/* Prints, once per name, that cpucc does not support this call; returns an error. */
cudaError_t cpucc_unsupported(const char *name);

/* Defined in device.c and device_memory.c. */
cudaError_t cudaMalloc(void **p, size_t bytes);
cudaError_t cudaFree(void *p);
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                         size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *parameters);
cudaError_t cudaMemset(void *p, int v, size_t bytes);
cudaError_t cudaGetLastError(void);

#endif
