/*
 * many.cu: the function of many.h.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I.. -c many.cu
 *
 * A kernel stores transposed tiles to the other devices, all destinations in turns, in pieces of 128 bytes,
 * since each packet on a link has a header. Or, with staging memory, transpose() writes slices of growing
 * size into one of two buffers while a copy engine carries the other.
 */
#include "transpose/many.h"

#include "transpose/job.cuh"

/* From so many bytes that a device sends staging is faster: on four H200 by 2 % at 0.8 GB and by 6 % at 3.2 GB,
 * on two by 1 % at 1.1 GB and by 2 % at 4.3 GB (plots/results/h200/lessons.md, 44). */
#ifndef TRANSPOSE_STAGE_FROM
#define TRANSPOSE_STAGE_FROM (768ll << 20)
#endif

enum {
    MANY_THREADS = 256,
    MANY_WIDTH = 32,      /* columns of a tile */
    MANY_PACKET = 128,    /* bytes that a packet carries at most */
    MANY_LEAST_ROWS = 32, /* so that loads of small elements are whole sectors */
    MANY_RING = 2,        /* staging buffers */
    MANY_FIRST = 8 << 20, /* bytes of the first slice; each next one is twice as large */
};

/* A problem as the kernels need it. Element offsets of parts are those of transpose_many_first(). */
typedef struct {
    int devices, rows, cols, bytes;
    int first_row[TRANSPOSE_MOST_DEVICES + 1], first_col[TRANSPOSE_MOST_DEVICES + 1];
    const char *in[TRANSPOSE_MOST_DEVICES];
    char *out[TRANSPOSE_MOST_DEVICES];
} ManyJob;

static __host__ __device__ __forceinline__ int many_rows(const ManyJob *job, int g)
{
    return job->first_row[g + 1] - job->first_row[g];
}

static __host__ __device__ __forceinline__ int many_cols(const ManyJob *job, int h)
{
    return job->first_col[h + 1] - job->first_col[h];
}

/* Rows of a tile: it writes a piece of so many elements to each of its output rows. */
__host__ __device__ constexpr int many_tile_rows(int bytes)
{
    return MANY_PACKET / bytes > MANY_LEAST_ROWS ? MANY_PACKET / bytes : MANY_LEAST_ROWS;
}

/* Device g transposes its tiles. Block b has tile b / devices of the destination g + 1 + b, modulo devices. */
template <int BYTES>
__global__ void __launch_bounds__(MANY_THREADS) many_tiles(ManyJob job, int g)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int ROWS = many_tile_rows(BYTES);
    __shared__ Element tile[ROWS][MANY_WIDTH + (BYTES < 4 ? 4 / BYTES : 1)];

    int h = (int)((g + 1 + blockIdx.x) % job.devices);
    unsigned at = blockIdx.x / job.devices, down = (many_rows(&job, g) - 1) / ROWS + 1;
    int first_row = (int)(at % down) * ROWS, first_col = (int)(at / down) * MANY_WIDTH;
    int rows = min(many_rows(&job, g) - first_row, ROWS);
    int cols = min(many_cols(&job, h) - first_col, (int)MANY_WIDTH);
    const Element *in =
        (const Element *)job.in[g] + (size_t)first_row * job.cols + job.first_col[h] + first_col;
    Element *out =
        (Element *)job.out[h] + (size_t)first_col * job.rows + job.first_row[g] + first_row;
    for (int i = threadIdx.x; i < ROWS * MANY_WIDTH; i += MANY_THREADS) {
        int row = i / MANY_WIDTH, col = i % MANY_WIDTH;
        if (row < rows && col < cols)
            tile[row][col] = in[(size_t)row * job.cols + col];
    }
    __syncthreads();
    for (int i = threadIdx.x; i < ROWS * MANY_WIDTH; i += MANY_THREADS) {
        int row = i % ROWS, col = i / ROWS;
        if (row < rows && col < cols)
            out[(size_t)col * job.rows + row] = tile[row][col];
    }
}

/* What a call has besides its job: streams, and events that go with the call. */
typedef struct {
    ManyJob job;
    int number[TRANSPOSE_MOST_DEVICES]; /* CUDA's of each device */
    cudaStream_t stream[TRANSPOSE_MOST_DEVICES];
    cudaError_t error; /* the first that occurred */
} ManyCall;

static int many_good(ManyCall *call, cudaError_t error)
{
    if (call->error == cudaSuccess)
        call->error = error;
    return call->error == cudaSuccess;
}

/* Makes stream `after`, of device h, wait for what `before`, of device g, holds now. */
static void many_follow(ManyCall *call, int h, cudaStream_t after, int g, cudaStream_t before)
{
    cudaEvent_t event;
    if (!many_good(call, cudaSetDevice(call->number[g])) ||
        !many_good(call, cudaEventCreateWithFlags(&event, cudaEventDisableTiming)))
        return;
    many_good(call, cudaEventRecord(event, before));
    many_good(call, cudaSetDevice(call->number[h]));
    many_good(call, cudaStreamWaitEvent(after, event, 0));
    many_good(call, cudaEventDestroy(event)); /* frees it once it has occurred */
}

/* Makes the streams of all devices wait for each other: all for the first, which waited for all. */
static void many_join(ManyCall *call)
{
    for (int g = 1; g < call->job.devices; g++)
        many_follow(call, 0, call->stream[0], g, call->stream[g]);
    for (int g = 1; g < call->job.devices; g++)
        many_follow(call, g, call->stream[g], 0, call->stream[0]);
}

template <int BYTES>
static void many_launch(ManyCall *call, int g)
{
    const ManyJob *job = &call->job;
    int rows = many_rows(job, g), cols = many_cols(job, job->devices - 1); /* the most of all */
    if (rows == 0 || cols == 0)
        return;
    unsigned down = (rows - 1) / many_tile_rows(BYTES) + 1, across = (cols - 1) / MANY_WIDTH + 1;
    many_tiles<BYTES><<<down * across * job->devices, MANY_THREADS, 0, call->stream[g]>>>(*job, g);
    many_good(call, cudaGetLastError());
}

static void many_direct(ManyCall *call)
{
    for (int g = 0; g < call->job.devices && many_good(call, cudaSetDevice(call->number[g])); g++)
        switch (call->job.bytes) {
        case 1: many_launch<1>(call, g); break;
        case 2: many_launch<2>(call, g); break;
        case 4: many_launch<4>(call, g); break;
        case 8: many_launch<8>(call, g); break;
        default: many_launch<16>(call, g); break;
        }
}

/* ---- with staging memory ---- */

/* Transposes `cols` columns of device g, from the matrix's column `col` on, to `out`. */
static void many_turn(ManyCall *call, int g, int64_t col, int64_t cols, void *out,
                      int64_t out_pitch)
{
    const ManyJob *job = &call->job;
    Transpose t = {};
    t.out = out;
    t.in = job->in[g] + (size_t)col * job->bytes;
    t.rows = many_rows(job, g), t.cols = cols;
    t.in_pitch = job->cols, t.out_pitch = out_pitch;
    t.element_bytes = job->bytes;
    t.stream = call->stream[g];
    TransposeError error = transpose(&t);
    if (error != TRANSPOSE_OK)
        many_good(call, error >= TRANSPOSE_CUDA ? (cudaError_t)(error - TRANSPOSE_CUDA)
                                                : cudaErrorUnknown);
}

/* How far a device is with a staged call: slices sent, columns of its own block transposed, bytes of the next
 * slice; the stream of its copies, and the events that end the last copy of each buffer and of a block. */
typedef struct {
    int slices, kept;
    size_t bytes;
    cudaStream_t copies;
    cudaEvent_t carried[MANY_RING], sent;
} ManyStage;

static void many_create(ManyCall *call, cudaEvent_t *event)
{
    many_good(call, cudaEventCreateWithFlags(event, cudaEventDisableTiming));
}

/* Transposes `cols` columns for device h, from its column `col` on, and has a copy engine carry them. */
static void many_send(ManyCall *call, ManyStage *stage, int g, int h, int col, int cols,
                      char *buffer)
{
    const ManyJob *job = &call->job;
    size_t width = (size_t)many_rows(job, g) * job->bytes, pitch = (size_t)job->rows * job->bytes;
    int slot = stage->slices % MANY_RING;
    if (stage->slices++ >= MANY_RING)
        many_good(call, cudaStreamWaitEvent(call->stream[g], stage->carried[slot], 0));
    many_turn(call, g, job->first_col[h] + col, cols, buffer, many_rows(job, g));
    many_follow(call, g, stage->copies, g, call->stream[g]);
    char *out = job->out[h] + col * pitch + (size_t)job->first_row[g] * job->bytes;
    many_good(call, cudaMemcpy2DAsync(out, pitch, buffer, width, width, cols, cudaMemcpyDefault,
                                      stage->copies));
    many_good(call, cudaEventRecord(stage->carried[slot], stage->copies));
}

/* Transposes the next `cols` columns of the block that stays on device g. */
static void many_keep(ManyCall *call, ManyStage *stage, int g, int cols)
{
    const ManyJob *job = &call->job;
    size_t at = (size_t)stage->kept * job->rows + job->first_row[g];
    many_turn(call, g, job->first_col[g] + stage->kept, cols, job->out[g] + at * job->bytes,
              job->rows);
    stage->kept += cols;
}

/* Sends the block of device g that goes to device h, in slices, each twice as large as the one before, up
 * to half a buffer; the rest of a block is one slice if it is less than two. After each slice a part of
 * the device's own block is transposed, while the links are busy. */
static void many_block(ManyCall *call, ManyStage *stage, int g, int h, char *staging,
                       size_t buffer_bytes)
{
    const ManyJob *job = &call->job;
    size_t column = (size_t)many_rows(job, g) * job->bytes, most = buffer_bytes / 2;
    for (int col = 0, cols; column && col < many_cols(job, h) && !call->error; col += cols) {
        size_t rest = many_cols(job, h) - col, fit = min(stage->bytes, most) / column;
        cols = (int)(rest < 2 * fit ? rest : fit < 1 ? 1 : fit);
        many_send(call, stage, g, h, col, cols,
                  staging + buffer_bytes * (stage->slices % MANY_RING));
        int part = (cols - 1) / (job->devices - 1) + 1, left = many_cols(job, g) - stage->kept;
        many_keep(call, stage, g, min(part, left));
        stage->bytes = min(2 * stage->bytes, most);
    }
}

/* Each device sends to devices g + 1, g + 2, ... It sends to h when device g + 1, which sent to h before,
 * is done: so each device receives from one other at a time, and its links are never shared. */
static void many_stage(ManyCall *call, void *const *staging, size_t buffer_bytes)
{
    ManyStage stages[TRANSPOSE_MOST_DEVICES] = {};
    const int devices = call->job.devices;
    for (int g = 0; g < devices && many_good(call, cudaSetDevice(call->number[g])); g++) {
        ManyStage *stage = &stages[g];
        stage->bytes = MANY_FIRST;
        many_good(call, cudaStreamCreateWithFlags(&stage->copies, cudaStreamNonBlocking));
        for (int slot = 0; slot < MANY_RING; slot++)
            many_create(call, &stage->carried[slot]);
        many_create(call, &stage->sent);
        many_follow(call, g, stage->copies, g, call->stream[g]);
    }
    for (int turn = 1; turn < devices && !call->error; turn++) {
        for (int g = 0; g < devices && turn > 1; g++)
            many_good(call,
                      cudaStreamWaitEvent(stages[g].copies, stages[(g + 1) % devices].sent, 0));
        for (int g = 0; g < devices && many_good(call, cudaSetDevice(call->number[g])); g++) {
            many_block(call, &stages[g], g, (g + turn) % devices, (char *)staging[g], buffer_bytes);
            many_good(call, cudaEventRecord(stages[g].sent, stages[g].copies));
        }
    }
    for (int g = 0; g < devices; g++) {
        ManyStage *stage = &stages[g];
        many_good(call, cudaSetDevice(call->number[g]));
        if (!call->error)
            many_keep(call, stage, g, many_cols(&call->job, g) - stage->kept);
        if (stage->copies) {
            many_follow(call, g, call->stream[g], g, stage->copies);
            many_good(call, cudaStreamDestroy(stage->copies)); /* ends once its copies have */
        }
        for (int slot = 0; slot < MANY_RING; slot++)
            if (stage->carried[slot])
                many_good(call, cudaEventDestroy(stage->carried[slot]));
        if (stage->sent)
            many_good(call, cudaEventDestroy(stage->sent));
    }
}

/* ---- the call ---- */

/* Returns whether each device can use every other's memory, after enabling that. */
static int many_peers(ManyCall *call)
{
    for (int g = 0; g < call->job.devices; g++)
        for (int h = 0; h < call->job.devices; h++) {
            int can = 1;
            if (call->number[h] == call->number[g])
                continue;
            many_good(call, cudaDeviceCanAccessPeer(&can, call->number[g], call->number[h]));
            many_good(call, cudaSetDevice(call->number[g]));
            if (!can || call->error != cudaSuccess)
                return 0;
            cudaError_t error = cudaDeviceEnablePeerAccess(call->number[h], 0);
            if (error == cudaErrorPeerAccessAlreadyEnabled)
                cudaGetLastError(); /* clears it */
            else if (!many_good(call, error))
                return 0;
        }
    return 1;
}

/* Returns why the problem is refused, or TRANSPOSE_OK with the call filled in. */
static TransposeError many_check(const TransposeMany *t, ManyCall *call)
{
    ManyJob *job = &call->job;
    int bytes = t->element_bytes;
    if (t->devices < 1 || t->devices > TRANSPOSE_MOST_DEVICES)
        return TRANSPOSE_BAD_DEVICES;
    if (bytes < 1 || bytes > 16 || (bytes & (bytes - 1)))
        return TRANSPOSE_BAD_ELEMENT;
    if (t->rows < 0 || t->cols < 0)
        return TRANSPOSE_BAD_SIZE;
    if (t->rows > INT_MAX || t->cols > INT_MAX)
        return TRANSPOSE_TOO_LARGE;
    if (!t->out || !t->in)
        return TRANSPOSE_NULL_POINTER;
    job->devices = t->devices, job->rows = (int)t->rows, job->cols = (int)t->cols;
    job->bytes = bytes;
    for (int g = 0; g <= t->devices; g++) {
        job->first_row[g] = (int)transpose_many_first(t->rows, g, t->devices);
        job->first_col[g] = (int)transpose_many_first(t->cols, g, t->devices);
    }
    for (int g = 0; g < t->devices; g++) {
        job->in[g] = (const char *)t->in[g], job->out[g] = (char *)t->out[g];
        call->number[g] = t->device ? t->device[g] : g;
        call->stream[g] = t->stream ? t->stream[g] : NULL;
        if ((!job->in[g] && many_rows(job, g) && t->cols) ||
            (!job->out[g] && many_cols(job, g) && t->rows) || (t->staging && !t->staging[g]))
            return TRANSPOSE_NULL_POINTER;
        if (((uintptr_t)job->in[g] | (uintptr_t)job->out[g]) % bytes)
            return TRANSPOSE_MISALIGNED;
    }
    return TRANSPOSE_OK;
}

TransposeError transpose_many(const TransposeMany *t)
{
    ManyCall call;
    memset(&call, 0, sizeof call);
    TransposeError refused = many_check(t, &call);
    int before = 0, last = t->devices - 1;
    if (refused != TRANSPOSE_OK || t->rows == 0 || t->cols == 0)
        return refused;
    const bool clean = cudaPeekAtLastError() == cudaSuccess;
    many_good(&call, cudaGetDevice(&before));
    int peers = many_peers(&call);
    size_t column = (size_t)many_rows(&call.job, last) * t->element_bytes;
    size_t buffer = t->staging_bytes / MANY_RING / 256 * 256;
    size_t sent = column * many_cols(&call.job, last) * last; /* what a device sends */
    int can_stage = t->staging && buffer >= column;
    if (call.error == cudaSuccess && !peers && !can_stage)
        refused = TRANSPOSE_NO_PEERS;
    if (call.error == cudaSuccess && refused == TRANSPOSE_OK) {
        many_join(&call);
        if (can_stage && (!peers || sent > (size_t)TRANSPOSE_STAGE_FROM))
            many_stage(&call, t->staging, buffer);
        else
            many_direct(&call);
        many_join(&call);
    }
    many_good(&call, cudaSetDevice(before));
    if (call.error == cudaSuccess)
        return refused;
    if (clean) /* the caller's next query finds no error of ours */
        cudaGetLastError();
    return (TransposeError)(TRANSPOSE_CUDA + call.error);
}
