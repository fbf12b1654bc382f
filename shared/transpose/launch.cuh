/*
 * launch.cuh: the job, the grid and the kernel of a plan, and its launch. Each function *_grid fills in a job
 * for its kernel.
 */
#ifndef TRANSPOSE_LAUNCH_CUH
#define TRANSPOSE_LAUNCH_CUH

#include "transpose/narrow.cuh"

/* ---- job and grid ---- */

/* The tiles of each matrix, or of all matrices together; threads and dynamic shared memory of a block, which
 * is less than the 48 KB that every kernel may have. */
typedef struct {
    long long down, across;
    int threads, shared, together;
} TransposeGrid;

static inline long long transpose_least(long long a, long long b) { return a < b ? a : b; }

/* Returns how many of `all` pieces a block takes: at most `most`, fewer if there would be less than
 * some 500 blocks, and as many in each block as in the others if these are few. */
static inline int transpose_share(long long all, long long most, int batches)
{
    most = transpose_least(all * batches / 512, most);
    most = most < 1 ? 1 : most;
    const long long blocks = transpose_pieces(all, most);
    return (int)(blocks < 8 ? transpose_pieces(all, blocks) : most);
}

/* Returns the threads that move so many vectors, 4 each, in whole warps. */
static inline int transpose_movers(int vectors, int most)
{
    return (int)transpose_least(transpose_pieces(vectors, 4 * 32) * 32, most);
}

static inline TransposeGrid transpose_tile_grid(const TransposeProblem *p,
                                                const TransposePlan *plan, TransposeJob *job)
{
    const short *tile = transpose_tiles(plan->way, p->bytes);
    const int windows = plan->way >= TRANSPOSE_WINDOWS && plan->way <= TRANSPOSE_WINDOWS_WIDE;
    job->band = (int)transpose_pieces(plan->band_rows, tile[0]);
    job->fronts = plan->fronts;
    if (transpose_stacks(p, plan->way)) {
        job->stack_step = p->out_stride[0] - p->out_pitch;
        job->rows *= p->batches;
        job->batches = job->batch[0] = 1;
    }
    /* Windows end up to a sector earlier than tiles. */
    const long long rows = job->rows + (windows && !p->sectors ? 32 / p->bytes - 1 : 0);
    return {transpose_pieces(rows, tile[0]), transpose_pieces(p->cols, tile[1]), tile[2] * 32, 0,
            0};
}

static inline TransposeGrid transpose_columns_grid(const TransposeProblem *p, TransposeJob *job)
{
    const int v = 16 / p->bytes;
    job->before = p->sectors ? 0 : 32 / p->bytes;
    /* Whole lines of each output row, some 16 KB of the input, but so few that all SMs get blocks. */
    const long long lines =
        transpose_pieces(p->rows + (job->before > 0 ? job->before - 1 : 0), 8 * v);
    const int most = transpose_share(lines, 128 / job->cols, p->batches);
    job->tile_rows = 8 * v * most;
    job->lines = (job->tile_rows + job->before) / v;
    job->width = job->cols + (p->in_bits % 16 != 0);
    job->line_step = v * job->in_pitch;
    job->line_pitch = job->width | 1;
    return {transpose_pieces(lines, most), 1, transpose_movers(job->lines * job->width, 256),
            job->lines * job->line_pitch * 16, 0};
}

static inline TransposeGrid transpose_rows_grid(const TransposeProblem *p, TransposeJob *job)
{
    const int v = 16 / p->bytes, extra = 32 / p->bytes, rows = job->rows;
    /* Whole sectors of the output. Pieces of rows that begin anywhere share a vector with the next
     * tile: so they are longer. */
    const int run = p->shifted ? 40960 : p->bytes < 8 ? 24576 : 16384;
    const int piece = p->shifted ? 128 : 256, along = run / rows / piece * piece;
    job->tile_rows = extra * transpose_share(transpose_pieces(p->cols, extra),
                                             (along > piece ? along : piece) / 32, p->batches);
    job->size = rows;
    job->slice_step = p->bytes;
    job->slices = job->cols;
    job->lines = rows;
    job->line_step = job->in_pitch;
    job->width = (int)transpose_pieces(job->tile_rows, v) + p->shifted;
    /* Lanes that read every second or fourth row meet different banks. */
    job->line_pitch = job->width | 1;
    job->line_shift = (p->bytes <= 2 ? 4 : 16) / p->bytes / 2;
    job->row_step = job->line_pitch * 16;
    job->shift_step = (int)(job->in_pitch & 15);
    return {transpose_pieces(p->cols, job->tile_rows), 1, transpose_movers(rows * job->width, 512),
            (rows * job->line_pitch + rows / 2 + 1) * 16, 0};
}

static inline TransposeGrid transpose_groups_grid(const TransposeProblem *p, TransposeJob *job)
{
    const int size = job->rows * job->cols * p->bytes, most = 16384 / size, extra = 32 / p->bytes;
    job->tile_rows = most > extra ? most / extra * extra : most;
    job->size = job->rows * job->cols;
    job->slice_step = size;
    job->slices = p->batches;
    job->lines = 1;
    job->width = job->tile_rows * size / 16 + 2;
    job->row_step = job->cols * p->bytes;
    return {transpose_pieces(p->batches, job->tile_rows), 1, 256, job->width * 16, 1};
}

static inline TransposeGrid transpose_gather_grid(const TransposeProblem *p)
{
    const int v = 16 / p->bytes, cols = transpose_few_cols(p);
    /* Vectors of an output row, in eights; or of the whole output. */
    const long long vectors = cols ? transpose_pieces((p->rows + 2 * v - 2) / v, 8) * 8 * p->cols
                                   : transpose_pieces(p->rows * p->cols + v - 1, v);
    return {transpose_pieces(vectors, 128), 1, 128, 0, 0};
}

static inline TransposeGrid transpose_vectors_grid(const TransposeProblem *p, TransposeJob *job)
{
    const int cols = transpose_few_cols(p);
    const long long along = (cols ? p->rows : p->cols) * p->bytes;
    job->before = cols && !p->sectors ? 2 : 0;
    return {transpose_pieces(along + job->before * 16, 16 * (128 - job->before)), 1, 128,
            job->before > 0 ? job->cols * 128 * 16 : 0, 0};
}

static inline TransposeGrid transpose_copies_grid(const TransposeProblem *p, TransposeJob *job)
{
    job->line_shift = TRANSPOSE_SIZE_INDEX(p->bytes);
    job->size = (int)transpose_least(p->cols, 256);
    job->tile_rows = 256 / job->size;
    return {transpose_pieces(p->batches, job->tile_rows), transpose_pieces(p->cols, 256), 256, 0,
            1};
}

/* Fills in what a kernel is told of a checked problem and a plan, and returns its grid. */
static inline TransposeGrid transpose_grid(const TransposeProblem *p, const TransposePlan *plan,
                                           TransposeJob *job)
{
    *job = {};
    job->in = p->in;
    job->in_end = p->in_end;
    job->out = p->out;
    job->in_pitch = p->in_pitch;
    job->out_pitch = p->out_pitch;
    job->rows = (int)p->rows;
    job->cols = (int)p->cols;
    job->batches = p->batches;
    job->hints = plan->hints;
    job->width = job->size = 1; /* unless a kernel has lines or slices */
    job->line_shift = 31;       /* no padding */
    job->by_rows = transpose_divisor(job->rows);
    job->by_cols = transpose_divisor(job->cols);
    for (int d = 0; d < 3; d++) {
        job->batch[d] = p->batch[d];
        job->in_stride[d] = p->in_stride[d];
        job->out_stride[d] = p->out_stride[d];
        job->by_batch[d] = transpose_divisor(p->batch[d]);
    }
    TransposeGrid grid;
    switch (plan->way) {
    case TRANSPOSE_COPY: grid = transpose_copies_grid(p, job); break;
    case TRANSPOSE_COLUMNS: grid = transpose_columns_grid(p, job); break;
    case TRANSPOSE_ROWS: grid = transpose_rows_grid(p, job); break;
    case TRANSPOSE_GROUPS: grid = transpose_groups_grid(p, job); break;
    case TRANSPOSE_VECTORS: grid = transpose_vectors_grid(p, job); break;
    case TRANSPOSE_GATHER: grid = transpose_gather_grid(p); break;
    default: grid = transpose_tile_grid(p, plan, job);
    }
    job->by_width = transpose_divisor(job->width);
    job->by_size = transpose_divisor(job->size);
    job->count = job->size; /* a group of transpose_runs(): slices that are whole stores */
    while (job->count * p->bytes % (p->bytes <= 2 ? 4 : 16) != 0)
        job->count *= 2;
    job->group_step = job->count / job->size * job->slice_step;
    return grid;
}

/* ---- kernel and launch ---- */

typedef void (*TransposeKernel)(TransposeJob);

/* Returns the kernel of a way with tiles; NULL if there are none for elements of BYTES. */
template <int BYTES, int WAY = TRANSPOSE_ELEMENTS>
static inline TransposeKernel transpose_tile_kernel(int way)
{
    constexpr const short *T =
        transpose_tile_table[WAY - TRANSPOSE_ELEMENTS][TRANSPOSE_SIZE_INDEX(BYTES)];
    if constexpr (WAY < TRANSPOSE_REGISTERS_TALL)
        if (way != WAY)
            return transpose_tile_kernel<BYTES, WAY + 1>(way);
    if constexpr (T[0] == 0)
        return NULL;
    else if constexpr (WAY == TRANSPOSE_ELEMENTS)
        return transpose_elements<BYTES, T[0]>;
    else if constexpr (WAY <= TRANSPOSE_WINDOWS_WIDE)
        return transpose_windows<BYTES, T[0], T[1], T[2] * 32, T[3]>;
    else
        return transpose_registers<BYTES, T[0], T[1], T[2] * 32, T[3]>;
}

/* Returns the kernel of a way that can do a problem of elements of BYTES. */
template <int BYTES>
static inline TransposeKernel transpose_kernel(const TransposeProblem *p, int way)
{
    const int cols = transpose_few_cols(p);
    if (way == TRANSPOSE_ROWS || way == TRANSPOSE_GROUPS)
        return transpose_runs<BYTES>;
    if constexpr (BYTES <= 8)
        if (way == TRANSPOSE_COLUMNS)
            return transpose_columns<BYTES>;
    if constexpr (BYTES <= 2)
        if (way == TRANSPOSE_VECTORS) {
            const TransposeKernel kernels[][2] = {
                {transpose_few_rows<BYTES, 2>, transpose_few_columns<BYTES, 2>},
                {transpose_few_rows<BYTES, 3>, transpose_few_columns<BYTES, 3>},
                {transpose_few_rows<BYTES, 4>, transpose_few_columns<BYTES, 4>}};
            return kernels[(cols ? p->cols : p->rows) - 2][cols];
        }
    if constexpr (BYTES >= 4)
        if (way == TRANSPOSE_GATHER)
            return cols ? transpose_gather<BYTES, 1> : transpose_gather<BYTES, 0>;
    return transpose_tile_kernel<BYTES>(way);
}

/* Launches a grid's tiles, in bands if the job says so. The grid's limit of 65535 in y and z makes it
 * one launch but for huge problems. */
static inline cudaError_t transpose_launch_tiles(TransposeKernel kernel, TransposeJob *job,
                                                 TransposeGrid grid, cudaStream_t stream)
{
    const long long most = 65535;
    job->bands = 1;
    if (job->band > 0 && job->band < grid.down) {
        job->bands = (int)transpose_pieces(grid.down, job->band);
        job->by_bands = transpose_divisor(job->bands);
        grid.down = job->band;
    }
    job->fronts = job->fronts && grid.across <= 2 * most; /* both fronts lie in one launch */
    if (job->fronts) {
        grid.down *= 2;
        grid.across = transpose_pieces(grid.across, 2);
    }
    const long long deep = grid.together ? 1 : (long long)job->batches * job->bands;
    job->plain = deep == 1 && grid.across <= most && !job->fronts;

    void *arguments[] = {job};
    cudaLaunchConfig_t how = {};
    how.blockDim = dim3(grid.threads);
    how.dynamicSmemBytes = grid.shared;
    how.stream = stream;
#if defined(__CUDA_ARCH_LIST__) && CUDART_VERSION >= 12030 /* so that it can also be captured */
    const int architectures[] = {__CUDA_ARCH_LIST__};      /* in ascending order */
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    how.attrs = &early;
    how.numAttrs = architectures[0] >= 900; /* then all kernels wait in transpose_wait() */
#endif
    cudaError_t error = cudaSuccess;
    for (long long z = 0; z < deep; z += most)
        for (long long y = 0; y < grid.across && error == cudaSuccess; y += most) {
            how.gridDim =
                dim3((unsigned)grid.down, (unsigned)transpose_least(grid.across - y, most),
                     (unsigned)transpose_least(deep - z, most));
            job->first_across = (int)y;
            job->first_z = (int)z;
            error = cudaLaunchKernelExC(&how, (const void *)kernel, arguments);
        }
    return error;
}

/* Launches a checked problem of elements of BYTES, 0: of any size, with a plan that can do it. */
template <int BYTES>
static inline cudaError_t transpose_run(const TransposeProblem *p, const TransposePlan *plan,
                                        cudaStream_t stream)
{
    TransposeJob job;
    TransposeKernel kernel;
    if (plan->way == TRANSPOSE_COPY && p->dims == 0)
        return cudaMemcpyAsync(p->out, p->in, (size_t)(p->in_end - p->in), cudaMemcpyDeviceToDevice,
                               stream);
    if (p->rows > INT_MAX - 65536) { /* the last tiles would end beyond an int: two parts */
        TransposeProblem part = *p;
        part.rows = 1 << 30;
        cudaError_t error = transpose_run<BYTES>(&part, plan, stream);
        part.in += part.rows * p->in_pitch;
        part.out += part.rows * p->bytes;
        part.rows = p->rows - part.rows;
        return error == cudaSuccess ? transpose_run<BYTES>(&part, plan, stream) : error;
    }
    const TransposeGrid grid = transpose_grid(p, plan, &job);
    if (plan->way == TRANSPOSE_COPY) /* of elements that may be larger: see problem.h */
        kernel = transpose_copies<BYTES - BYTES + 4>;
    else if constexpr (BYTES != 0)
        kernel = transpose_kernel<BYTES>(p, plan->way);
    else
        kernel = p->bytes == 1   ? transpose_kernel<BYTES + 1>(p, plan->way)
                 : p->bytes == 2 ? transpose_kernel<BYTES + 2>(p, plan->way)
                 : p->bytes == 4 ? transpose_kernel<BYTES + 4>(p, plan->way)
                 : p->bytes == 8 ? transpose_kernel<BYTES + 8>(p, plan->way)
                                 : transpose_kernel<BYTES + 16>(p, plan->way);
    return transpose_launch_tiles(kernel, &job, grid, stream);
}

/* Asks for the bytes of the current device's L2; each host thread remembers the last answer. */
static inline cudaError_t transpose_l2(double *l2_bytes)
{
    static thread_local int known = -1, known_bytes;
    int device;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess && device != known) {
        error = cudaDeviceGetAttribute(&known_bytes, cudaDevAttrL2CacheSize, device);
        known = error == cudaSuccess ? device : -1;
    }
    *l2_bytes = known_bytes;
    return error;
}

/* Chooses a plan. A host thread remembers its last choice: callers repeat a shape, and a choice takes
 * 0.3 us, a launch 3. */
static inline void transpose_choose_again(const TransposeProblem *p, double l2_bytes,
                                          TransposeReads reads, TransposePlan *plan)
{
    static thread_local TransposePlan chosen;
    static thread_local struct Known {
        TransposeProblem p; /* of addresses only the last bits count */
        double l2_bytes;
        TransposeReads reads;
    } known;
    Known now;
    memset(&now, 0, sizeof now); /* between the members too */
    memcpy(&now.p, p, sizeof *p);
    now.p.in = (const char *)((uintptr_t)p->in % 256);
    now.p.in_end = now.p.out = NULL;
    now.p.in_bits %= 256;
    now.p.out_bits %= 256;
    now.l2_bytes = l2_bytes;
    now.reads = reads;
    if (memcmp(&now, &known, sizeof now) != 0) {
        transpose_choose(p, l2_bytes, reads, &chosen);
        memcpy(&known, &now, sizeof now);
    }
    *plan = chosen;
}

/* Does what transpose() does, and transpose_with_plan() if a plan is given, for elements of BYTES;
 * 0: of any size. */
template <int BYTES>
static inline TransposeError transpose_call(const Transpose *t, const TransposePlan *given)
{
    TransposeProblem p;
    TransposePlan plan;
    double l2_bytes;
    TransposeError refused = transpose_check(t, &p);
    if (refused == TRANSPOSE_OK && BYTES != 0 && t->element_bytes != BYTES)
        refused = TRANSPOSE_BAD_ELEMENT;
    if (refused == TRANSPOSE_OK && !p.nothing && given && !transpose_can(&p, given->way))
        refused = TRANSPOSE_BAD_PLAN;
    if (refused != TRANSPOSE_OK || p.nothing)
        return refused;
    const bool clean = cudaPeekAtLastError() == cudaSuccess;
    cudaError_t error = cudaSuccess;
    if (given)
        plan = *given;
    else if ((error = transpose_l2(&l2_bytes)) == cudaSuccess)
        transpose_choose_again(&p, l2_bytes, t->reads, &plan);
    if (error == cudaSuccess)
        error = transpose_run<BYTES>(&p, &plan, t->stream);
    if (error != cudaSuccess && clean) /* the caller's next query finds no error of ours */
        cudaGetLastError();
    return error == cudaSuccess ? TRANSPOSE_OK : (TransposeError)(TRANSPOSE_CUDA + error);
}

#endif
