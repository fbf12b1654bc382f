/*
 * Implements streams and events. Every operation is done when its call returns, so an event needs
 * only a time, and a point for streams.c. A capturing stream adds work to a graph instead of doing
 * it (runtime_capture.c).
 */
#include <stdlib.h>
#include <time.h>
#include "api.h"

struct CUstream_st *cpucc_all_streams;
cudaError_t (*cpucc_capture)(cudaStream_t stream, struct node_work *work);

cudaGraph_t cpucc_capturing(cudaStream_t s)
{
    struct CUstream_st *r = cpucc_stream_record(s);
    return r && r->capture && cpucc_is_live(r->capture, GRAPH) ? r->capture : NULL;
}

/* Returns the flags that the stream was made with; sets *device unless it is no stream. */
static unsigned traits_of(const void *stream, int *device)
{
    for (const struct CUstream_st *r = cpucc_all_streams; r; r = r->next)
        if (r == stream)
            return *device = r->device, r->flags;
    return 0;
}

int cpucc_device_of_stream(cudaStream_t s)
{
    struct CUstream_st *r = cpucc_stream_record(s);
    return r ? r->device : cpucc_active_device;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *s, unsigned flags, int priority)
{
    NEED(s && flags <= cudaStreamNonBlocking);
    cpucc_device_start();
    struct CUstream_st *r = cpucc_new_handle(STREAM, sizeof *r);
    r->flags = flags, r->priority = priority, r->device = cpucc_active_device;
    r->next = cpucc_all_streams;
    cpucc_all_streams = *s = r;
    cpucc_stream_traits = traits_of;
    return cudaSuccess;
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *s, unsigned flags)
{
    return cudaStreamCreateWithPriority(s, flags, 0);
}
cudaError_t cudaStreamCreate(cudaStream_t *s) { return cudaStreamCreateWithPriority(s, 0, 0); }

cudaError_t cudaStreamDestroy(cudaStream_t s)
{
    NEED_HANDLE(STREAM, s);
    cpucc_synchronised_stream(s); /* a later stream may get its address */
    struct CUstream_st **at = &cpucc_all_streams;
    while (*at != s)
        at = &(*at)->next;
    *at = s->next;
    return cpucc_end_handle(s), cudaSuccess;
}

/* Waits for the stream; an error if the stream captures or a kernel has failed. */
static cudaError_t not_while_capturing(cudaStream_t s)
{
    NEED_STREAM(s);
    if (cpucc_capturing(s))
        return cpucc_error(cudaErrorStreamCaptureUnsupported);
    cpucc_synchronised_stream(s);
    return cpucc_lasting_error();
}

cudaError_t cudaStreamSynchronize(cudaStream_t s) { return not_while_capturing(s); }
cudaError_t cudaStreamQuery(cudaStream_t s) { return not_while_capturing(s); }

#define QUERY(name, T, value)                                                                      \
    cudaError_t name(cudaStream_t s, T *to)                                                        \
    {                                                                                              \
        NEED_STREAM(s);                                                                            \
        return GIVE(to, value);                                                                    \
    }
QUERY(cudaStreamGetPriority, int, cpucc_stream_record(s) ? s->priority : 0)
QUERY(cudaStreamGetFlags, unsigned, cpucc_stream_record(s) ? s->flags : 0)
QUERY(cudaStreamGetDevice, int, cpucc_device_of_stream(s))
QUERY(cudaStreamGetId, unsigned long long, (uintptr_t)s)

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return cudaSuccess;
}

/* Sets the priority; other attributes are hints and have no effect. */
cudaError_t cudaStreamSetAttribute(cudaStream_t s, cudaStreamAttrID id,
                                   const cudaStreamAttrValue *value)
{
    NEED_STREAM(s);
    NEED(value);
    if (id == cudaLaunchAttributePriority && cpucc_stream_record(s))
        s->priority = value->priority;
    return cudaSuccess;
}
cudaError_t cudaStreamGetAttribute(cudaStream_t s, cudaStreamAttrID id, cudaStreamAttrValue *value)
{
    NEED_STREAM(s);
    NEED(value);
    *value = (cudaStreamAttrValue){{0}};
    if (id == cudaLaunchAttributePriority && cpucc_stream_record(s))
        value->priority = s->priority;
    return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t s, void *p, size_t bytes, unsigned flags)
{
    (void)bytes, (void)flags;
    NEED_STREAM(s);
    return cpucc_seen_record((uintptr_t)p) ? cudaSuccess : cpucc_error(cudaErrorInvalidValue);
}

/* ---- functions of the host in a stream ---- */

cudaError_t cudaLaunchHostFunc(cudaStream_t s, cudaHostFn_t function, void *data)
{
    NEED_STREAM(s);
    NEED(function);
    if (cpucc_capturing(s))
        return cpucc_capture(
            s, &(struct node_work){.type = cudaGraphNodeTypeHost, .host = {function, data}});
    cpucc_synchronised_stream(s);
    function(data);
    return cudaSuccess;
}

cudaError_t cudaStreamAddCallback(cudaStream_t s, cudaStreamCallback_t function, void *data,
                                  unsigned flags)
{
    NEED_STREAM(s);
    NEED(function && !flags);
    if (cpucc_capturing(s))
        return cpucc_error(cudaErrorStreamCaptureUnsupported);
    cpucc_synchronised_stream(s);
    function(s, cpucc_lasting_error(), data);
    return cudaSuccess;
}

/* ---- events ---- */

struct CUevent_st {
    struct timespec time;
    bool recorded;
    unsigned flags;
    int device;
    struct stream_point point; /* where it was recorded, for host_access.c */
    cudaGraph_t capture;       /* set if it was last recorded in a capturing stream */
    struct capture_tail tail;
};

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *e, unsigned flags)
{
    NEED(e && !(flags & ~7u));
    *e = cpucc_new_handle(EVENT, sizeof **e);
    (*e)->flags = flags, (*e)->device = cpucc_active_device;
    return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t *e) { return cudaEventCreateWithFlags(e, 0); }
cudaError_t cudaEventDestroy(cudaEvent_t e)
{
    NEED_HANDLE(EVENT, e);
    return cpucc_end_handle(e), cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t e, cudaStream_t s)
{
    NEED_HANDLE(EVENT, e);
    NEED_STREAM(s);
    if (e->device != cpucc_device_of_stream(s))
        return cpucc_error(cudaErrorInvalidResourceHandle);
    e->capture = cpucc_capturing(s);
    if (e->capture) {
        e->tail = s->tail;
        return cudaSuccess;
    }
    e->point = cpucc_point(s);
    clock_gettime(CLOCK_MONOTONIC, &e->time);
    e->recorded = true;
    return cudaSuccess;
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t e, cudaStream_t s, unsigned flags)
{
    NEED_HANDLE(EVENT, e);
    NEED_STREAM(s);
    if (flags == cudaEventRecordExternal && cpucc_capturing(s))
        return cpucc_capture(s,
                             &(struct node_work){.type = cudaGraphNodeTypeEventRecord, .event = e});
    return cudaEventRecord(e, s);
}

/* Waits for the event; an error if it is captured or a kernel has failed. */
static cudaError_t finished(cudaEvent_t e)
{
    NEED_HANDLE(EVENT, e);
    if (e->capture)
        return cpucc_error(cudaErrorCapturedEvent);
    cpucc_synchronised_point(e->point);
    return cpucc_lasting_error();
}
cudaError_t cudaEventSynchronize(cudaEvent_t e) { return finished(e); }
cudaError_t cudaEventQuery(cudaEvent_t e) { return finished(e); }

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t a, cudaEvent_t b)
{
    NEED_HANDLE(EVENT, a);
    NEED_HANDLE(EVENT, b);
    NEED(ms);
    if (!a->recorded || !b->recorded || a->device != b->device ||
        (a->flags | b->flags) & cudaEventDisableTiming)
        return cpucc_error(cudaErrorInvalidResourceHandle);
    *ms = (float)((double)(b->time.tv_sec - a->time.tv_sec) * 1e3 +
                  (double)(b->time.tv_nsec - a->time.tv_nsec) * 1e-6);
    return cpucc_lasting_error();
}

bool cpucc_capture_behind(cudaStream_t s, cudaGraphNode_t n)
{
    struct capture_tail *b = &s->tail;
    for (size_t i = 0; i < b->count; i++)
        if (b->node[i] == n)
            return true;
    if (b->count == sizeof b->node / sizeof *b->node)
        return false;
    b->node[b->count++] = n;
    return true;
}

/* A stream that waits for an event of a capturing stream captures too. */
cudaError_t cudaStreamWaitEvent(cudaStream_t s, cudaEvent_t e, unsigned flags)
{
    (void)flags;
    NEED_HANDLE(EVENT, e);
    NEED_STREAM(s);
    if (e->capture) {
        NEED_HANDLE(GRAPH, e->capture);
        if (!cpucc_stream_record(s))
            return cpucc_error(cudaErrorStreamCaptureImplicit);
        if (s->capture && s->capture != e->capture)
            return cpucc_error(cudaErrorStreamCaptureMerge);
        s->capture = e->capture;
        for (size_t i = 0; i < e->tail.count; i++)
            if (!cpucc_capture_behind(s, e->tail.node[i]))
                return cpucc_unsupported("a captured stream that waits for more than 64 nodes");
    } else {
        cpucc_stream_waits(s, e->point);
    }
    return cudaSuccess;
}
