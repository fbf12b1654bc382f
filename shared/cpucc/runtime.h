/*
 * What the files of the run-time API share: capturing streams, and the work that a graph runs
 * later. device.c has devices, functions and errors; runtime_stream.c streams and events;
 * runtime_graph.c graphs; runtime_memory.c pools, registration and 3-D copies; runtime_texture.c
 * arrays, textures and surfaces; cublas.c a subset of cuBLAS.
 */
#ifndef CPUCC_RUNTIME_H
#define CPUCC_RUNTIME_H

#include "internal.h"

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

/* A launch: what a stub was called with. */
struct kernel_work {
    const void *stub;
    cpucc_config config;
    void **arguments;
};
/* frontend/launches.c: launches; returns the bytes of each parameter of a kernel, 0 behind the
 * last, or NULL for an unknown stub. */
cudaError_t cpucc_launch(const void *stub, cpucc_config config, void **arguments);
const uint64_t *cpucc_parameter_bytes(const void *stub);

/* A copy of `height` rows of `width` bytes. */
struct copy_work {
    void *to;
    const void *from;
    size_t to_pitch, from_pitch, width, height;
    cudaMemcpyKind kind;
};

cudaError_t cpucc_copy_in_stream(const struct copy_work *work, const void *stream, uintptr_t pc);

/* runtime_graph.c: adds the work as a node after the stream's last. */
cudaError_t cpucc_capture_kernel(cudaStream_t stream, const struct kernel_work *work);
cudaError_t cpucc_capture_copy(cudaStream_t stream, const struct copy_work *work);
cudaError_t cpucc_capture_copy_3d(cudaStream_t stream, const cudaMemcpy3DParms *parameters);
cudaError_t cpucc_capture_set(cudaStream_t stream, const cudaMemsetParams *parameters);
cudaError_t cpucc_capture_host(cudaStream_t stream, cudaHostFn_t function, void *data);
cudaError_t cpucc_capture_event(cudaStream_t stream, cudaEvent_t event);
cudaError_t cpucc_capture_alloc(cudaStream_t stream, void **p, size_t bytes);
cudaError_t cpucc_capture_free(cudaStream_t stream, void *p);
cudaError_t cpucc_capture_graph(cudaStream_t stream, cudaGraphExec_t graph);

/* Prints the name of a call without counterpart, once per name, and returns an error. */
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
