/*
 * Step 08: any shape, any element, any alignment. The kernels are those of transpose.cuh, a library
 * in one header; here each idea of it is a variant.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared any_shape.cu -o any_shape
 *
 *   elements              padded 32x32 tile, one element at a time: what any shape costs
 *   unaligned_writes      64 rows a tile, of which each block writes the same elements of every row
 *   window_elements       the same, but each output row is written from a sector boundary of memory
 *                         on, its window
 *   aligned_writes        the same, by 16-byte vectors
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
 *   gathers               few rows without shared memory: vectors of the output element by element
 *   vectors               few columns, or few rows of small elements, in each thread's registers
 *   transpose_ordinary    transpose_with(): whatever the rule chooses, but reads are never kept
 *   transpose             transpose(): whatever the rule chooses
 *
 * Elements of 1, 2, 4, 8 and 16 bytes, batches, pitches and offsets are options; --help lists them.
 */
#include "harness/harness.h"
#include "transpose.cuh"

/* The first half of the idea: windows for the writes alone. Each output row's piece begins at a
 * multiple of WINDOW bytes of memory: a sector's 32, or an element's size, which is no window. A
 * thread stores V elements at a time, one or a vector. The rows that windows take beside a tile's
 * own are read in any case. */
template <int BYTES, int WINDOW, int V>
__global__ void __launch_bounds__(512) simple_tile(const TransposeJob job)
{
    typedef typename TransposeElement<BYTES>::Type Element;
    constexpr int EXTRA = TRANSPOSE_SECTOR / BYTES; /* rows read for the windows' sake */
    constexpr int ROWS = 64, HEIGHT = ROWS + EXTRA, COLS = BYTES <= 4 ? 64 : 32, THREADS = 512;
    constexpr int STEP = THREADS / COLS, LOADS = (HEIGHT + STEP - 1) / STEP;
    __shared__ Element tile[HEIGHT][COLS + 1];

    transpose_wait();
    TransposeTile at = transpose_tile<0>(job);
    int first_row = at.row * ROWS - EXTRA, first_col = at.col * COLS;
    int x = threadIdx.x % COLS, y = threadIdx.x / COLS;
    const char *in = job.in + at.batch * job.in_batch;
    const char *from = in + (first_row + y) * job.in_pitch + (long long)(first_col + x) * BYTES;
    Element values[LOADS] = {}; /* what lies outside the matrix is stored as well */
#pragma unroll
    for (int k = 0; k < LOADS; k++, from += STEP * job.in_pitch) {
        int row = first_row + y + k * STEP;
        if (row >= 0 && row < job.rows && first_col + x < job.cols && y + k * STEP < HEIGHT)
            values[k] = *(const Element *)from;
    }
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (y + k * STEP < HEIGHT)
            tile[y + k * STEP][x] = values[k];
    __syncthreads();

    char *out = job.out + at.batch * job.out_batch;
#pragma unroll 2
    for (int i = threadIdx.x; i < COLS * (ROWS / V); i += THREADS) {
        int col = i / (ROWS / V), along = i % (ROWS / V) * V;
        if (first_col + col >= job.cols)
            return;
        char *to = out + (first_col + col) * job.out_pitch + (long long)at.row * ROWS * BYTES;
        int back = (int)((uintptr_t)to % WINDOW / BYTES); /* the window begins there */
        int below = EXTRA - back + along, row = first_row + below;
        to += (along - back) * BYTES; /* in elements, nvcc 13 splits the vector store below */
        if (V > 1 && row >= 0 && row <= job.rows - V) {
            __align__(16) Element piece[V];
#pragma unroll
            for (int j = 0; j < V; j++)
                piece[j] = tile[below + j][col];
            *(uint4 *)to = *(const uint4 *)piece;
        } else {
#pragma unroll 1
            for (int j = 0; j < V; j++)
                if (row + j >= 0 && row + j < job.rows)
                    ((Element *)to)[j] = tile[below + j][col];
        }
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

template <int BYTES, int WINDOW, int V>
static void launch_simple_of(TransposeJob *job)
{
    job->tiles_down = transpose_tiles(job->rows + WINDOW / BYTES - 1ll, 64);
    job->tiles_across = transpose_tiles(job->cols, BYTES <= 4 ? 64 : 32);
    job->band = job->tiles_down;
    CUDA_CHECK(transpose_blocks(simple_tile<BYTES, WINDOW, V>, job, 512, 0, 0));
}

template <int BYTES, int WINDOWS, int VECTORS>
static void launch_simple_bytes(TransposeJob *job)
{
    launch_simple_of<BYTES, WINDOWS ? TRANSPOSE_SECTOR : BYTES,
                     VECTORS ? TRANSPOSE_VECTOR / BYTES : 1>(job);
}

template <int WINDOWS, int VECTORS>
static void launch_simple(const Problem *p)
{
    TransposePlan plan = plan_of(p, TRANSPOSE_WINDOWS, 0);
    switch (p->element_bytes) {
    case 1: launch_simple_bytes<1, WINDOWS, VECTORS>(&plan.job); break;
    case 2: launch_simple_bytes<2, WINDOWS, VECTORS>(&plan.job); break;
    case 4: launch_simple_bytes<4, WINDOWS, VECTORS>(&plan.job); break;
    case 8: launch_simple_bytes<8, WINDOWS, VECTORS>(&plan.job); break;
    default: launch_simple_bytes<16, WINDOWS, VECTORS>(&plan.job);
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
        (long long)p->rows * p->cols * p->element_bytes <= transpose_small_most(p->element_bytes))
        return TRANSPOSE_SMALL;
    if (packed_in && p->cols <= TRANSPOSE_NARROW)
        return TRANSPOSE_FEW_COLS;
    if (packed_out && p->rows <= TRANSPOSE_NARROW)
        return TRANSPOSE_FEW_ROWS;
    return -1;
}

template <int OPTIONS>
static void launch_runs(const Problem *p)
{
    TransposePlan plan = plan_of(p, run_kernel(p), OPTIONS);
    CUDA_CHECK(transpose_run(&plan, 0));
}

/* What of a plan the rule's questions look at: there may be no memory yet for transpose_check(). */
static TransposePlan sizes_of(const Problem *p)
{
    TransposePlan plan = {};
    plan.bytes = p->element_bytes;
    plan.job.in = (const char *)p->in;
    plan.job.out = (char *)p->out;
    plan.job.rows = p->rows;
    plan.job.cols = p->cols;
    plan.job.in_pitch = (long long)p->in_pitch * p->element_bytes;
    plan.job.out_pitch = (long long)p->out_pitch * p->element_bytes;
    return plan;
}

static const char *needs_gathers(const Problem *p)
{
    TransposePlan plan = sizes_of(p);
    if (transpose_out_is_packed(&plan) && transpose_fits_gather(&plan))
        return NULL;
    return "not a few rows of at least 4 bytes an element, the output packed";
}

static const char *needs_vectors(const Problem *p)
{
    TransposePlan plan = sizes_of(p);
    int packed = p->cols < p->rows ? transpose_in_is_packed(&plan) : transpose_out_is_packed(&plan);
    if (packed && transpose_fits_vectors(&plan))
        return NULL;
    return "not 2 to 8 columns, or rows, of small elements, with the rest in whole vectors";
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
        {"unaligned_writes", NULL, 1, 0, 0, NULL, launch_simple<0, 0>},
        {"window_elements", NULL, 1, 0, 0, NULL, launch_simple<1, 0>},
        {"aligned_writes", NULL, 1, 0, 0, NULL, launch_simple<1, 1>},
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
        {"gathers", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_GATHER, 0>, needs_gathers},
        {"vectors", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_VECTORS, 0>, needs_vectors},
        {"transpose_ordinary", NULL, 1, 0, 0, NULL, launch_transpose<TRANSPOSE_READS_ORDINARY>},
        {"transpose", NULL, 1, 0, 0, NULL, launch_transpose<TRANSPOSE_READS_BY_SIZE>},
    };
    static const Step step = {
        "08_any_shape",         TRANSPOSE, variants, COUNT_OF(variants), "transpose",
        "registers4x2_by_rule", NULL,
    };
    return run_step(&step, argc, argv);
}
