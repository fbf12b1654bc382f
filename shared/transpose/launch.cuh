/*
 * launch.cuh: the kernel of a plan, and its launch.
 */
#ifndef TRANSPOSE_LAUNCH_CUH
#define TRANSPOSE_LAUNCH_CUH

#include "transpose/grid.cuh"

typedef void (*TransposeKernel)(TransposeJob);

/* Returns the kernel with a way's tiles, or NULL if there are none for elements of BYTES. */
template <int BYTES, int WAY>
static inline TransposeKernel transpose_tile_kernel(void)
{
    constexpr const short *T =
        transpose_tile_table[WAY - TRANSPOSE_ELEMENTS][TRANSPOSE_SIZE_INDEX(BYTES)];
    if constexpr (T[0] == 0)
        return NULL;
    else if constexpr (WAY == TRANSPOSE_ELEMENTS)
        return transpose_elements<BYTES, T[0]>;
    else if constexpr (WAY <= TRANSPOSE_WINDOWS_WIDE)
        return transpose_windows<BYTES, T[0], T[1], T[2] * 32, T[3]>;
    else
        return transpose_registers<BYTES, T[0], T[1], T[2] * 32, T[3]>;
}

template <int BYTES, int N>
static inline TransposeKernel transpose_vectors_kernel(int cols)
{
    return cols ? transpose_few_columns<BYTES, N> : transpose_few_rows<BYTES, N>;
}

/* Returns the kernel of a way that can do a problem of elements of BYTES. */
template <int BYTES>
static inline TransposeKernel transpose_kernel(const TransposeProblem *p, int way)
{
    const int cols = transpose_few_cols(p);
    const long long few = cols ? p->cols : p->rows;
    if (way == TRANSPOSE_ROWS || way == TRANSPOSE_GROUPS)
        return transpose_runs<BYTES>;
    if constexpr (BYTES <= 8)
        if (way == TRANSPOSE_COLUMNS)
            return transpose_columns<BYTES>;
    if constexpr (BYTES <= 2)
        if (way == TRANSPOSE_VECTORS)
            return few == 2   ? transpose_vectors_kernel<BYTES, 2>(cols)
                   : few == 3 ? transpose_vectors_kernel<BYTES, 3>(cols)
                              : transpose_vectors_kernel<BYTES, 4>(cols);
    if constexpr (BYTES >= 4)
        if (way == TRANSPOSE_GATHER)
            return cols ? transpose_gather<BYTES, 1> : transpose_gather<BYTES, 0>;
    switch (way) {
    case TRANSPOSE_WINDOWS: return transpose_tile_kernel<BYTES, TRANSPOSE_WINDOWS>();
    case TRANSPOSE_WINDOWS_SMALL: return transpose_tile_kernel<BYTES, TRANSPOSE_WINDOWS_SMALL>();
    case TRANSPOSE_WINDOWS_WIDE: return transpose_tile_kernel<BYTES, TRANSPOSE_WINDOWS_WIDE>();
    case TRANSPOSE_REGISTERS: return transpose_tile_kernel<BYTES, TRANSPOSE_REGISTERS>();
    case TRANSPOSE_REGISTERS_SMALL:
        return transpose_tile_kernel<BYTES, TRANSPOSE_REGISTERS_SMALL>();
    case TRANSPOSE_REGISTERS_TALL: return transpose_tile_kernel<BYTES, TRANSPOSE_REGISTERS_TALL>();
    default: return transpose_tile_kernel<BYTES, TRANSPOSE_ELEMENTS>();
    }
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
    if (grid.shared > 48 << 10)
        error = cudaFuncSetAttribute((const void *)kernel,
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, grid.shared);
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
