/*
 * launch.cuh: fills in a kernel's job for a problem and a plan, and launches it.
 */
#ifndef TRANSPOSE_LAUNCH_CUH
#define TRANSPOSE_LAUNCH_CUH

#include "transpose/narrow.cuh"

/* Returns how many pieces of `size` cover `length`. */
static inline long long transpose_pieces(long long length, long long size)
{
    return (length + size - 1) / size;
}

/* Returns whether all device code here is for compute capability 9.0 or above, so that every kernel
 * waits in transpose_wait() and may be launched early. */
static constexpr bool transpose_kernels_wait(void)
{
#if defined(__CUDA_ARCH_LIST__) && CUDART_VERSION >= 12030 /* so it can also be captured */
    const int architectures[] = {__CUDA_ARCH_LIST__};
    for (int architecture : architectures)
        if (architecture < 900)
            return false;
    return true;
#else
    return false;
#endif
}

/* Launches one grid. */
static inline cudaError_t transpose_start(void (*kernel)(TransposeJob), const TransposeJob *job,
                                          dim3 blocks, int threads, int shared, cudaStream_t stream)
{
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t how = {};
    how.gridDim = blocks;
    how.blockDim = dim3(threads);
    how.dynamicSmemBytes = shared;
    how.stream = stream;
#if CUDART_VERSION >= 12030
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    how.attrs = &early;
    how.numAttrs = transpose_kernels_wait();
#endif
    void *arguments[] = {(void *)job};
    cudaError_t error = cudaSuccess;
    if (shared > 48 << 10)
        error = cudaFuncSetAttribute((const void *)kernel,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    return error == cudaSuccess ? cudaLaunchKernelExC(&how, (const void *)kernel, arguments)
                                : error;
}

/* Launches `down` x `across` tiles of every matrix, in bands if the job says so: as many launches
 * as the grid's limit of 65535 in y and z needs, which is one but for huge problems. */
static inline cudaError_t transpose_launch_tiles(void (*kernel)(TransposeJob), TransposeJob *job,
                                                 long long down, long long across, int threads,
                                                 int shared, cudaStream_t stream)
{
    const long long most = 65535;
    job->bands = 1;
    if (job->band > 0 && job->band < down) {
        job->bands = (int)transpose_pieces(down, job->band);
        job->by_bands = transpose_divisor(job->bands);
        down = job->band;
    }
    job->fronts = job->fronts && across <= 2 * most; /* both fronts lie in one launch */
    if (job->fronts) {
        down *= 2;
        across = transpose_pieces(across, 2);
    }
    const long long deep = (long long)job->batches * job->bands;
    job->plain = deep == 1 && across <= most && !job->fronts;
    for (long long z = 0; z < deep; z += most)
        for (long long y = 0; y < across; y += most) {
            dim3 blocks((unsigned)down, (unsigned)(across - y < most ? across - y : most),
                        (unsigned)(deep - z < most ? deep - z : most));
            job->first_across = (int)y;
            job->first_z = (int)z;
            cudaError_t error = transpose_start(kernel, job, blocks, threads, shared, stream);
            if (error != cudaSuccess)
                return error;
        }
    return cudaSuccess;
}

template <int BYTES, int WAY>
static inline cudaError_t transpose_launch_windows(const TransposeProblem *p, TransposeJob *job,
                                                   cudaStream_t stream)
{
    constexpr const short *T =
        transpose_tile_table[WAY - TRANSPOSE_WINDOWS][transpose_size_index(BYTES)];
    constexpr int ROWS = T[0], COLS = T[1], THREADS = T[2];
    constexpr int BLOCKS = (BYTES == 1 ? 1280 : BYTES == 2 ? 1536 : 2048) / THREADS;
    /* Windows end up to a sector earlier than tiles. */
    long long down = transpose_pieces(p->rows + (p->sectors ? 0 : 32 / BYTES - 1), ROWS);
    if (job->band > 0)
        job->band = (int)transpose_pieces(job->band, ROWS);
    return transpose_launch_tiles(transpose_windows<BYTES, ROWS, COLS, THREADS, BLOCKS>, job, down,
                                  transpose_pieces(p->cols, COLS), THREADS, 0, stream);
}

/* Returns how many of `all` pieces a block takes: at most `most`, fewer if there would be less than
 * some 500 blocks, and as many in each block as in the others if these are few. */
static inline long long transpose_share(long long all, long long most, int batches)
{
    long long fair = all * batches / 512;
    most = fair < most ? fair : most;
    most = most < 1 ? 1 : most;
    long long blocks = transpose_pieces(all, most);
    return blocks < 8 ? transpose_pieces(all, blocks) : most;
}

template <int BYTES>
static inline cudaError_t transpose_launch_columns(const TransposeProblem *p, TransposeJob *job,
                                                   cudaStream_t stream)
{
    constexpr int V = 16 / BYTES, SIDE = BYTES < 4 ? 4 / BYTES : 1;
    const int cols = job->cols, columns = (cols + SIDE - 1) / SIDE * SIDE;
    job->before = p->sectors ? 0 : 32 / BYTES;
    /* Whole lines of each output row, some 16 KB of the input, but so few that all SMs get blocks. */
    long long lines = transpose_pieces(p->rows + (p->sectors ? 0 : job->before - 1), 8 * V);
    long long most = (BYTES < 4 ? 20480 : 16384) / (128 * cols);
    most = transpose_share(lines, most, p->batches);
    job->tile_rows = 8 * V * (int)most;
    job->lines = (job->tile_rows + job->before) / V;
    job->width = cols + !p->in_vectors;
    job->line_step = V * job->in_pitch;
    job->group_pitch = job->width | 1;
    job->by_width = transpose_divisor(job->width);
    job->by_cols = transpose_divisor(cols);
    job->high = job->lines * job->group_pitch + 1;
    int shared = job->high * 16, height = (job->tile_rows + job->before) / SIDE;
    if (BYTES < 4) {
        /* Eight lanes read every fourth word; the last two bits of the pitch bring four columns to
         * other banks. */
        const int apart[] = {1, 1, 3, 2};
        int wanted = (int)(job->out_pitch / 4 + apart[job->out_pitch % 4]);
        job->turned = height + 1 + ((wanted - height - 1) & 3);
        job->by_count = transpose_divisor(height);
        /* Squares that a thread turns at a time, and lines that it writes. */
        job->count =
            (int)transpose_pieces(columns / SIDE, transpose_pieces(columns / SIDE, 4 * BYTES));
        job->each = most % 4 == 0 ? 4 : most % 2 == 0 ? 2 : 1;
        job->by_cols = transpose_divisor(cols);
        shared += columns * job->turned * 4;
    }
    int threads = (int)transpose_pieces((long long)job->lines * job->width, 4 * 32) * 32;
    return transpose_launch_tiles(transpose_columns<BYTES>, job, transpose_pieces(lines, most), 1,
                                  threads < 256 ? threads : 256, shared, stream);
}

template <int BYTES, int WAY>
static inline cudaError_t transpose_launch_registers(const TransposeProblem *p, TransposeJob *job,
                                                     cudaStream_t stream)
{
    constexpr const short *T =
        transpose_tile_table[WAY - TRANSPOSE_WINDOWS][transpose_size_index(BYTES)];
    constexpr int ROWS = T[0], COLS = T[1], THREADS = T[2];
    constexpr int BLOCKS =
        THREADS <= 128 ? 1
                       : (BYTES <= 2 || WAY == TRANSPOSE_REGISTERS_TALL ? 1536 : 2048) / THREADS;
    if (job->band > 0)
        job->band = (int)transpose_pieces(job->band, ROWS);
    return transpose_launch_tiles(transpose_registers<BYTES, ROWS, COLS, THREADS, BLOCKS>, job,
                                  transpose_pieces(p->rows, ROWS), transpose_pieces(p->cols, COLS),
                                  THREADS, 0, stream);
}

template <int BYTES>
static inline cudaError_t transpose_launch_rows(const TransposeProblem *p, TransposeJob *job,
                                                cudaStream_t stream)
{
    constexpr int V = 16 / BYTES, EXTRA = 32 / BYTES;
    const int rows = job->rows, whole = !p->shifted;
    /* Tiles are whole sectors of the output: all begin at sectors if the first one does. Pieces of
     * rows that begin anywhere share a vector with the next tile: so they are longer. */
    uintptr_t out = (uintptr_t)p->out;
    for (int d = 0; d < p->dims; d++)
        out |= (uintptr_t)p->out_stride[d];
    job->before = out % 32 == 0 ? 0 : EXTRA;
    long long reach = p->cols + (job->before > 0 ? EXTRA - 1 : 0);
    int run = BYTES <= 2 ? 20480 : !whole ? 40960 : BYTES == 4 ? 24576 : 16384;
    int piece = BYTES > 2 && whole ? 256 : 128, along = run / rows / piece * piece;
    along = (along > piece ? along : piece) / BYTES;
    along = (int)transpose_share(transpose_pieces(reach, EXTRA), along / EXTRA, p->batches) * EXTRA;
    job->tile_rows = along;
    job->lines = rows;
    job->line_step = job->in_pitch;
    job->width = (along + job->before + V - 1) / V + p->shifted;
    job->line_pitch = job->width;
    job->by_width = transpose_divisor(job->width);
    job->by_count = transpose_divisor(rows);
    if constexpr (BYTES >= 4) {
        int v = BYTES == 4 ? 2 : BYTES == 8 ? 1 : 0, vectors = rows * job->width;
        job->line_shift = v;
        job->group_pitch = (job->line_pitch << v) + 1;
        int threads = (int)transpose_pieces(vectors, 4 * 32) * 32;
        return transpose_launch_tiles(transpose_rows<BYTES>, job, transpose_pieces(reach, along), 1,
                                      threads < 512 ? threads : 512, (vectors + rows / V + 1) * 16,
                                      stream);
    } else {
        constexpr int MOST = 256;
        job->group_pitch = job->line_pitch;
        int squares = (along + job->before) * BYTES / 4, down = (rows * BYTES + 3) / 4;
        int across =
            (int)transpose_pieces(transpose_pieces(squares, transpose_pieces(squares, MOST)), 32) *
            32;
        int often = MOST / across < down ? MOST / across : down;
        job->count = across;
        job->high = (int)transpose_pieces(down, often);
        int threads = across * (int)transpose_pieces(down, job->high);
        int shared =
            transpose_turned_at(rows, job->line_pitch, down) * 16 + rows * (along * BYTES + 4) + 64;
        return transpose_launch_tiles(transpose_turned<BYTES>, job, transpose_pieces(reach, along),
                                      1, threads, (shared + 127) / 128 * 128, stream);
    }
}

template <int BYTES>
static inline cudaError_t transpose_launch_gather(const TransposeProblem *p, TransposeJob *job,
                                                  cudaStream_t stream)
{
    constexpr int V = 16 / BYTES;
    const int cols = p->packed_in && p->cols <= p->rows;
    /* Vectors of an output row, in eights; or of the whole output. */
    long long vectors = cols ? transpose_pieces((p->rows + 2 * V - 2) / V, 8) * 8 * p->cols
                             : transpose_pieces(p->rows * p->cols + V - 1, V);
    job->by_count = transpose_divisor((int)(cols ? p->cols : p->rows));
    return transpose_launch_tiles(cols ? transpose_gather<BYTES, 1> : transpose_gather<BYTES, 0>,
                                  job, transpose_pieces(vectors, 128), 1, 128, 0, stream);
}

template <int BYTES, int COLS>
static inline cudaError_t transpose_launch_vectors(const TransposeProblem *p, TransposeJob *job,
                                                   cudaStream_t stream)
{
    const long long few = COLS ? p->cols : p->rows, along = (COLS ? p->rows : p->cols) * BYTES;
    void (*kernel)(TransposeJob);
    if constexpr (COLS)
        kernel = few == 2   ? transpose_few_columns<BYTES, 2>
                 : few == 3 ? transpose_few_columns<BYTES, 3>
                            : transpose_few_columns<BYTES, 4>;
    else
        kernel = few == 2   ? transpose_few_rows<BYTES, 2>
                 : few == 3 ? transpose_few_rows<BYTES, 3>
                            : transpose_few_rows<BYTES, 4>;
    job->before = COLS && !p->sectors ? 2 : 0;
    return transpose_launch_tiles(
        kernel, job, transpose_pieces(along + job->before * 16, 16 * (128 - job->before)), 1, 128,
        job->before > 0 ? (int)few * 128 * 16 : 0, stream);
}

template <int BYTES>
static inline cudaError_t transpose_launch_groups(TransposeJob *job, cudaStream_t stream)
{
    constexpr int EXTRA = 32 / BYTES, UNIT = BYTES <= 2 ? 4 : 16;
    const int size = job->rows * job->cols;
    /* If rows are whole words in eights, lanes would meet one bank: then a group is a line of its own
     * with a vector of padding per 8. */
    const int padded = BYTES <= 2 && job->cols % 8 == 0;
    int in_group = 1, along = 16384 / (size * BYTES);
    while (in_group * size * BYTES % (padded ? 16 : UNIT) != 0)
        in_group *= 2;
    along -= along % (!padded && along > EXTRA ? EXTRA : in_group);
    job->tile_rows = along;
    job->count = in_group * size;
    job->padded = padded;
    job->lines = padded ? along / in_group : 1;
    job->line_step = (long long)job->count * BYTES;
    job->width = (padded ? job->count : along * size) * BYTES / 16 + 2;
    job->group_pitch = job->width + padded * (job->width / 8);
    job->by_width = transpose_divisor(job->width);
    job->by_count = transpose_divisor(size);
    job->by_cols = transpose_divisor(job->rows);
    return transpose_start(transpose_groups<BYTES>, job,
                           dim3((unsigned)transpose_pieces(job->batches, along)), 256,
                           job->lines * job->group_pitch * 16, stream);
}

/* WORD is 4, and makes the kernel one of a template, which is compiled only if it is called. A row's
 * elements may be larger than the matrix's: see transpose_simplify(). */
template <int WORD>
static inline cudaError_t transpose_launch_copy(const TransposeProblem *p, TransposeJob *job,
                                                cudaStream_t stream)
{
    if (p->dims == 0)
        return cudaMemcpyAsync(p->out, p->in, (size_t)(p->in_end - p->in), cudaMemcpyDeviceToDevice,
                               stream);
    job->line_shift = transpose_size_index(p->bytes);
    job->count = p->cols < 256 ? (int)p->cols : 256;
    job->tile_rows = 256 / job->count;
    job->by_count = transpose_divisor(job->count);
    long long down = transpose_pieces(job->batches, job->tile_rows);
    TransposeJob one = *job;
    one.batches = job->batches;
    for (long long y = 0, across = transpose_pieces(p->cols, 256); y < across; y += 65535) {
        one.first_across = (int)y;
        cudaError_t error = transpose_start(
            transpose_copies<WORD>, &one,
            dim3((unsigned)down, (unsigned)(across - y < 65535 ? across - y : 65535)), 256, 0,
            stream);
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

/* Returns what every kernel is told of a checked problem and a plan. */
static inline TransposeJob transpose_job(const TransposeProblem *p, const TransposePlan *plan)
{
    TransposeJob job = {};
    job.in = p->in;
    job.in_end = p->in_end;
    job.out = p->out;
    job.in_pitch = p->in_pitch;
    job.out_pitch = p->out_pitch;
    job.rows = (int)p->rows;
    job.cols = (int)p->cols;
    job.batches = p->batches;
    job.hints = plan->hints;
    job.band = plan->band_rows;
    job.fronts = plan->fronts;
    for (int d = 0; d < 3; d++) {
        job.batch[d] = p->batch[d];
        job.in_stride[d] = p->in_stride[d];
        job.out_stride[d] = p->out_stride[d];
        job.by_batch[d] = transpose_divisor(p->batch[d]);
    }
    return job;
}

/* Launches a checked problem of elements of BYTES with a plan that can do it. */
template <int BYTES>
static inline cudaError_t transpose_launch(const TransposeProblem *p, const TransposePlan *plan,
                                           cudaStream_t stream)
{
    TransposeJob job = transpose_job(p, plan);
    constexpr int TALL = BYTES <= 4 ? TRANSPOSE_REGISTERS_TALL : TRANSPOSE_REGISTERS;
    constexpr int SMALL = BYTES == 1 ? TRANSPOSE_WINDOWS : TRANSPOSE_WINDOWS_SMALL;
    constexpr int WIDE = BYTES == 4 ? TRANSPOSE_WINDOWS_WIDE : TRANSPOSE_WINDOWS;
    constexpr int TILE = TransposeElements<BYTES>::TILE;
    switch (plan->way) {
    case TRANSPOSE_COPY: return transpose_launch_copy<4>(p, &job, stream);
    case TRANSPOSE_ELEMENTS:
        return transpose_launch_tiles(transpose_elements<BYTES>, &job,
                                      transpose_pieces(p->rows, TILE),
                                      transpose_pieces(p->cols, TILE), 256, 0, stream);
    case TRANSPOSE_REGISTERS:
        return transpose_launch_registers<BYTES, TRANSPOSE_REGISTERS>(p, &job, stream);
    case TRANSPOSE_REGISTERS_SMALL:
        return transpose_launch_registers<BYTES, TRANSPOSE_REGISTERS_SMALL>(p, &job, stream);
    case TRANSPOSE_REGISTERS_TALL: return transpose_launch_registers<BYTES, TALL>(p, &job, stream);
    case TRANSPOSE_GROUPS: return transpose_launch_groups<BYTES>(&job, stream);
    default: break;
    }
    /* Ways that not all element sizes have; transpose_can() is asked before. */
    if constexpr (BYTES <= 8) {
        if (plan->way == TRANSPOSE_ROWS)
            return transpose_launch_rows<BYTES>(p, &job, stream);
        if (plan->way == TRANSPOSE_COLUMNS)
            return transpose_launch_columns<BYTES>(p, &job, stream);
    }
    if constexpr (BYTES >= 4)
        if (plan->way == TRANSPOSE_GATHER)
            return transpose_launch_gather<BYTES>(p, &job, stream);
    if constexpr (BYTES <= 4)
        if (plan->way == TRANSPOSE_VECTORS && p->cols <= p->rows && p->packed_in)
            return transpose_launch_vectors<BYTES, 1>(p, &job, stream);
    if constexpr (BYTES <= 2)
        if (plan->way == TRANSPOSE_VECTORS)
            return transpose_launch_vectors<BYTES, 0>(p, &job, stream);
    switch (plan->way) {
    case TRANSPOSE_WINDOWS_WIDE: return transpose_launch_windows<BYTES, WIDE>(p, &job, stream);
    case TRANSPOSE_WINDOWS_SMALL: return transpose_launch_windows<BYTES, SMALL>(p, &job, stream);
    default: return transpose_launch_windows<BYTES, TRANSPOSE_WINDOWS>(p, &job, stream);
    }
}

/* The same for elements of BYTES; 0: of any size. */
template <int BYTES>
static inline cudaError_t transpose_run(const TransposeProblem *p, const TransposePlan *plan,
                                        cudaStream_t stream)
{
    if constexpr (BYTES != 0) {
        return transpose_launch<BYTES>(p, plan, stream);
    } else {
        switch (p->bytes) {
        case 1: return transpose_launch<BYTES + 1>(p, plan, stream);
        case 2: return transpose_launch<BYTES + 2>(p, plan, stream);
        case 4: return transpose_launch<BYTES + 4>(p, plan, stream);
        case 8: return transpose_launch<BYTES + 8>(p, plan, stream);
        default: return transpose_launch<BYTES + 16>(p, plan, stream);
        }
    }
}

/* Asks the current device; each host thread remembers the last answer. */
static inline cudaError_t transpose_device(TransposeDevice *device)
{
    static thread_local TransposeDevice known;
    static thread_local int known_number = -1;
    int number, l2_bytes = 0;
    cudaError_t error = cudaGetDevice(&number);
    if (error == cudaSuccess && number != known_number) {
        known_number = -1;
        error = cudaDeviceGetAttribute(&known.sms, cudaDevAttrMultiProcessorCount, number);
        if (error == cudaSuccess)
            error = cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, number);
        if (error != cudaSuccess)
            return error;
        known.l2_bytes = l2_bytes;
        known_number = number;
    }
    *device = known;
    return error;
}

/* Does what transpose() does, and transpose_with_plan() if a plan is given, for elements of BYTES;
 * 0: of any size. */
template <int BYTES>
static inline TransposeError transpose_call(const Transpose *t, const TransposePlan *given)
{
    TransposeProblem p;
    TransposeDevice device;
    TransposePlan plan;
    int nothing = 0;
    TransposeError refused = transpose_check(t, &p, &nothing);
    if (refused == TRANSPOSE_OK && BYTES != 0 && t->element_bytes != BYTES)
        refused = TRANSPOSE_BAD_ELEMENT;
    if (refused == TRANSPOSE_OK && !nothing && given && !transpose_can(&p, given->way))
        refused = TRANSPOSE_BAD_SIZE;
    if (refused != TRANSPOSE_OK || nothing)
        return refused;
    const bool clean = cudaPeekAtLastError() == cudaSuccess;
    cudaError_t error = cudaSuccess;
    if (given)
        plan = *given;
    else if ((error = transpose_device(&device)) == cudaSuccess)
        transpose_choose(&p, &device, t->reads, &plan);
    if (error == cudaSuccess)
        error = transpose_run<BYTES>(&p, &plan, t->stream);
    if (error == cudaSuccess)
        return TRANSPOSE_OK;
    if (clean) /* the caller's next query finds no error of ours */
        cudaGetLastError();
    return (TransposeError)(TRANSPOSE_CUDA + error);
}

#endif
