/*
 * Declares the run-time API for its own files and for the libraries: errors, copies, launches,
 * capturing streams, and the work that a graph runs later.
 *
 *   device.c           devices, functions, errors; device_memory.c: allocations, copies, fills
 *   handles.c          the set of live handles
 *   runtime_stream.c   streams and events
 *   runtime_memory.c   pools, registration, copies in streams
 *   launches.c         registration of kernels and variables, launches
 */
#ifndef CPUCC_RUN_TIME_API_H
#define CPUCC_RUN_TIME_API_H

#include "../checks/checks.h"
#include "../reports/reports.h"
#include "../reports/trace.h"

void cpucc_device_start(void);              /* starts the run time, unless it has started */
cudaError_t cpucc_is_device(int device);    /* keeps and returns an error if there is none */
cudaError_t cpucc_error(cudaError_t error); /* keeps the error for cudaGetLastError; returns it */
cudaError_t cpucc_lasting_error(void);      /* a failed kernel's error, or cudaSuccess */
void cpucc_launch_checked(void);       /* the program asks for errors: forgets a refused launch */
void cpucc_say_unchecked_launch(void); /* reports a refused launch that nobody checked */
/* Runs a launch unless its configuration is refused; returns the error. */
/* Completes a launch by what the kernel declares: refuses more threads than its __launch_bounds__. */
cudaError_t cpucc_declared(const struct device_part *kernel, cpucc_config *config);
cudaError_t cpucc_run(const cpucc_config *config, void (*body)(void *), void *arguments,
                      size_t bytes);

/* ---- arguments ---- */

/* Kinds of handles. Of those before GRAPH CUDA says cudaErrorInvalidResourceHandle if a handle is
 * not live, of the others cudaErrorInvalidValue. */
enum handle_kind {
    NO_HANDLE,
    STREAM,
    EVENT,
    ARRAY,
    MIPMAP,
    GRAPH,
    NODE,
    EXEC,
    POOL,
    CONDITION,
    TEXTURE,
    BLAS
};
/* Returns a handle with a record of zeros. */
void *cpucc_new_handle(enum handle_kind kind, size_t bytes);
void cpucc_end_handle(void *handle); /* frees the record of a live handle */
bool cpucc_is_live(const void *handle, enum handle_kind kind);
cudaError_t cpucc_check_handle(const void *handle, enum handle_kind kind);

/* Ends a call with cudaErrorInvalidValue unless the condition holds. */
#define NEED(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return cpucc_error(cudaErrorInvalidValue);                                             \
    } while (0)
/* Ends a call with CUDA's error unless the handle is live. */
#define NEED_HANDLE(kind, handle)                                                                  \
    do {                                                                                           \
        cudaError_t of_handle = cpucc_check_handle(handle, kind);                                  \
        if (of_handle)                                                                             \
            return of_handle;                                                                      \
    } while (0)
/* The same for a stream, which may be one of the fixed handles 0, 1 and 2. */
#define NEED_STREAM(stream)                                                                        \
    do {                                                                                           \
        if (stream && cpucc_stream_record(stream))                                                 \
            NEED_HANDLE(STREAM, stream);                                                           \
    } while (0)
/* The end of a call that sets *to. */
#define GIVE(to, value) ((to) ? (*(to) = (value), cudaSuccess) : cpucc_error(cudaErrorInvalidValue))

size_t cpucc_product(size_t a, size_t b, size_t c); /* SIZE_MAX if it is too large */

cudaError_t cpucc_set(void *to, int value, size_t bytes, uintptr_t pc); /* fills at once */
/* Copies `height` rows of `width` bytes at once, whatever the stream, after checking both ranges;
 * pitches are in bytes. */
cudaError_t cpucc_copy_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                            size_t width, size_t height, cudaMemcpyKind kind, uintptr_t pc);

/* The nodes that the next node captured from a stream depends on. */
struct capture_tail {
    cudaGraphNode_t node[64];
    size_t count;
};

struct CUstream_st {
    cudaGraph_t capture; /* the graph that records the stream's work, or NULL */
    struct capture_tail tail;
    bool origin; /* the capture began here */
    unsigned flags;
    int priority, device;
    struct CUstream_st *next; /* list of all streams */
};

/* Returns the device that the stream belongs to; default streams belong to the active one. */
int cpucc_device_of_stream(cudaStream_t stream);
/* Returns the graph that records this stream's work, or NULL (also if the graph is destroyed). */
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
    uintptr_t pc; /* of the call; 0: unknown */
};

/* Copies at once and notes the copy as an operation of the stream. */
cudaError_t cpucc_copy_in_stream(const struct copy_work *work, const void *stream);

/* Of a conditional node: the type and the condition's value decide which bodies run, how often. */
struct conditional {
    struct condition *condition;
    cudaGraphConditionalNodeType type;
    unsigned count;
    cudaGraph_t *body;
};

/* What a graph's node does. */
struct node_work {
    cudaGraphNodeType type;
    bool three_dimensions; /* a copy by copy_3d */
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
    };
};
/* Adds work to a capturing stream's graph, after the stream's last node. The first capture sets it. */
extern cudaError_t (*cpucc_capture)(cudaStream_t stream, struct node_work *work);
extern struct CUstream_st *cpucc_all_streams; /* a list of all streams */
/* Makes the capturing stream's next node also depend on n; false if it depends on too many. */
bool cpucc_capture_behind(cudaStream_t stream, cudaGraphNode_t n);
/* Returns the stream's record; NULL for the two fixed handles, which cannot capture. */
static inline struct CUstream_st *cpucc_stream_record(cudaStream_t s)
{
    return s == cudaStreamLegacy || s == cudaStreamPerThread ? NULL : s;
}

/* Prints, once per name, that cpucc does not support this call; returns an error. */
cudaError_t cpucc_unsupported(const char *name);

#endif
