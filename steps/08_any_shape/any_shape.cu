/*
 * Step 08: any shape, any element, any alignment. The kernels are those of transpose.cuh, a library
 * in one header; here each idea of it is a variant.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared any_shape.cu -o any_shape
 *
 *   elements              padded 32x32 tile, one element at a time: what any shape costs
 *   aligned_writes        each output row is written from a sector boundary of memory on, its
 *                         window, by 16-byte vectors; the tile comes in element by element
 *   windows               it comes in by the aligned vectors that cover it, too
 *   windows_keep_reads    the same, L2 keeping what was read longer than what was written
 *   windows_whole_lines   the same again, L2 fetching whole lines, for the next column of tiles
 *   windows_bands         the same again, down a band of tile rows at a time: for very many rows
 *   windows_wide          windows_whole_lines with tiles twice as wide, for few rows; 4 bytes only
 *   registers             aligned matrices: step 06's blocks in registers, for elements of any size
 *   registers_keep_reads  the same, L2 keeping what was read longer
 *   small_tiles           windows or registers with smaller tiles, for matrices that are small
 *   runs                  narrow matrices, and batches of small ones: the tile is a run of memory
 *   runs_keep_reads       the same, L2 keeping what was read longer
 *   transpose_ordinary    transpose_with(): whatever the rule chooses, but reads are never kept
 *   transpose             transpose(): whatever the rule chooses
 *
 * Elements of 1, 2, 4, 8 and 16 bytes, batches, pitches and offsets are options; --help lists them.
 */
#include "harness/harness.h"
#include "transpose.cuh"

/* The first half of the idea: windows for the writes alone. */
template <int BYTES>
__global__ void __launch_bounds__(512) aligned_writes(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int V = TRANSPOSE_VECTOR / BYTES;     /* elements in a vector */
    constexpr int EXTRA = TRANSPOSE_SECTOR / BYTES; /* rows read for the windows' sake */
    constexpr int ROWS = 64, HEIGHT = ROWS + EXTRA, COLS = BYTES <= 4 ? 64 : 32;
    __shared__ Element tile[HEIGHT][COLS + 1];

    TransposeTile at = transpose_tile(job);
    int first_row = at.row * ROWS - EXTRA, first_col = at.col * COLS;
    const char *in = job.in + at.batch * job.in_batch;
    char *out = job.out + at.batch * job.out_batch;
    for (int i = threadIdx.x; i < HEIGHT * COLS; i += blockDim.x) {
        int y = i / COLS, x = i % COLS, row = first_row + y, col = first_col + x;
        if (row >= 0 && row < job.rows && col < job.cols)
            tile[y][x] = ((const Element *)(in + row * job.in_pitch))[col];
    }
    __syncthreads();

    for (int i = threadIdx.x; i < COLS * (ROWS / V); i += blockDim.x) {
        int x = i / (ROWS / V), along = i % (ROWS / V) * V;
        if (first_col + x >= job.cols)
            return;
        Element *to = (Element *)(out + (first_col + x) * job.out_pitch) + (long long)at.row * ROWS;
        int back = (int)((uintptr_t)to % TRANSPOSE_SECTOR / BYTES); /* the window begins there */
        int y = EXTRA - back + along, row = first_row + y;
        to += along - back;
        __align__(16) Element values[V];
#pragma unroll
        for (int j = 0; j < V; j++)
            if (row + j >= 0 && row + j < job.rows)
                values[j] = tile[y + j][x];
        if (row >= 0 && row <= job.rows - V)
            *(uint4 *)to = *(const uint4 *)values;
        else
#pragma unroll
            for (int j = 0; j < V; j++)
                if (row + j >= 0 && row + j < job.rows)
                    to[j] = values[j];
    }
}

/* ---- launches: the library's own steps, with the way chosen here ---- */

static TransposePlan plan_of(const Problem *p, int kernel, int options)
{
    TransposePlan plan = {};
    int nothing;
    CUDA_CHECK(transpose_check(&plan, p->out, p->in, p->batches, p->rows, p->cols, p->out_pitch,
                               p->in_pitch, p->element_bytes, &nothing));
    plan.kernel = (TransposeKernel)kernel;
    plan.options = options;
    return plan;
}

template <int BYTES>
static void launch_aligned_writes_of(TransposeJob *job)
{
    job->tiles_down = transpose_tiles(job->rows + TRANSPOSE_SECTOR / BYTES - 1ll, 64);
    job->tiles_across = transpose_tiles(job->cols, BYTES <= 4 ? 64 : 32);
    job->band = job->tiles_down;
    CUDA_CHECK(transpose_blocks(aligned_writes<BYTES>, job, 512, 0, 0));
}

static void launch_aligned_writes(const Problem *p)
{
    TransposePlan plan = plan_of(p, TRANSPOSE_WINDOWS, 0);
    switch (p->element_bytes) {
    case 1: launch_aligned_writes_of<1>(&plan.job); break;
    case 2: launch_aligned_writes_of<2>(&plan.job); break;
    case 4: launch_aligned_writes_of<4>(&plan.job); break;
    case 8: launch_aligned_writes_of<8>(&plan.job); break;
    default: launch_aligned_writes_of<16>(&plan.job);
    }
}

template <int KERNEL, int OPTIONS>
static void launch_tiles(const Problem *p)
{
    TransposePlan plan = plan_of(p, KERNEL, OPTIONS);
    CUDA_CHECK(transpose_run(&plan, 0));
}

enum { BAND_ROWS = 16896 }; /* of all bands that were tried on an H200, the best */

static void launch_bands(const Problem *p)
{
    TransposePlan plan = plan_of(p, TRANSPOSE_WINDOWS, TRANSPOSE_KEEP | TRANSPOSE_WHOLE_LINES);
    plan.band_rows = BAND_ROWS;
    CUDA_CHECK(transpose_run(&plan, 0));
}

static void launch_wide(const Problem *p)
{
    TransposePlan plan = plan_of(p, TRANSPOSE_WINDOWS, TRANSPOSE_KEEP | TRANSPOSE_WHOLE_LINES);
    plan.tiles = TRANSPOSE_TILES_WIDE;
    CUDA_CHECK(transpose_run(&plan, 0));
}

static void launch_small_tiles(const Problem *p)
{
    TransposePlan plan = plan_of(p, TRANSPOSE_WINDOWS, 0);
    if (transpose_is_aligned(&plan))
        plan.kernel = TRANSPOSE_REGISTERS;
    plan.tiles = TRANSPOSE_TILES_SMALL;
    CUDA_CHECK(transpose_run(&plan, 0));
}

/* The kernel for narrow and small matrices that this one is for, or -1. */
static int run_kernel(const Problem *p)
{
    int packed_in = p->in_pitch == p->cols, packed_out = p->out_pitch == p->rows;
    if (p->rows == 1 || p->cols == 1)
        return -1;
    if (packed_in && packed_out && p->batches > 1 &&
        (long long)p->rows * p->cols * p->element_bytes <= TRANSPOSE_SMALL_MOST)
        return TRANSPOSE_SMALL;
    if (packed_in && p->cols <= TRANSPOSE_NARROW_COLS)
        return TRANSPOSE_FEW_COLS;
    if (packed_out && p->rows <= TRANSPOSE_NARROW_ROWS)
        return TRANSPOSE_FEW_ROWS;
    return -1;
}

template <int OPTIONS>
static void launch_runs(const Problem *p)
{
    TransposePlan plan = plan_of(p, run_kernel(p), OPTIONS);
    CUDA_CHECK(transpose_run(&plan, 0));
}

template <int READS>
static void launch_transpose(const Problem *p)
{
    CUDA_CHECK(transpose_with(p->out, p->in, p->batches, p->rows, p->cols, p->out_pitch,
                              p->in_pitch, p->element_bytes, (TransposeReads)READS, 0));
}

static const char *needs_alignment(const Problem *p)
{
    long sizes = p->rows | p->cols | p->in_pitch | p->out_pitch;
    if (((uintptr_t)p->in | (uintptr_t)p->out | sizes * p->element_bytes) % TRANSPOSE_VECTOR == 0)
        return NULL;
    return "rows, columns, pitches and offset must be multiples of 16 bytes";
}

static const char *needs_4_bytes(const Problem *p)
{
    return p->element_bytes == 4 ? NULL : "wide tiles are for elements of 4 bytes";
}

static const char *needs_runs(const Problem *p)
{
    return run_kernel(p) >= 0 ? NULL
                              : "neither narrow, with the other matrix packed, nor a batch of "
                                "small packed ones";
}

int main(int argc, char **argv)
{
    enum { KEEP = TRANSPOSE_KEEP, LINES = TRANSPOSE_KEEP | TRANSPOSE_WHOLE_LINES };
    static const Variant variants[] = {
        {"elements", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_ELEMENTS, 0>},
        {"aligned_writes", NULL, 1, 0, 0, NULL, launch_aligned_writes},
        {"windows", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_WINDOWS, 0>},
        {"windows_keep_reads", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_WINDOWS, KEEP>},
        {"windows_whole_lines", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_WINDOWS, LINES>},
        {"windows_bands", NULL, 1, 0, 0, NULL, launch_bands},
        {"windows_wide", NULL, 1, 0, 0, NULL, launch_wide, needs_4_bytes},
        {"registers", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_REGISTERS, 0>, needs_alignment},
        {"registers_keep_reads", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_REGISTERS, KEEP>,
         needs_alignment},
        {"small_tiles", NULL, 1, 0, 0, NULL, launch_small_tiles},
        {"runs", NULL, 1, 0, 0, NULL, launch_runs<0>, needs_runs},
        {"runs_keep_reads", NULL, 1, 0, 0, NULL, launch_runs<KEEP>, needs_runs},
        {"transpose_ordinary", NULL, 1, 0, 0, NULL, launch_transpose<TRANSPOSE_READS_ORDINARY>},
        {"transpose", NULL, 1, 0, 0, NULL, launch_transpose<TRANSPOSE_READS_BY_SIZE>},
    };
    static const Step step = {
        "08_any_shape",         TRANSPOSE, variants, COUNT_OF(variants), "transpose",
        "registers4x2_by_rule", NULL,
    };
    return run_step(&step, argc, argv);
}
