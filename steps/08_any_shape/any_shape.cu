/*
 * Step 08: any shape, any element, any alignment. The kernels are those of shared/transpose, a library;
 * here each idea of it is a variant.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared any_shape.cu -o any_shape
 *
 *   elements              padded 32x32 tile, one element at a time: what any shape costs
 *   unaligned_writes      64 rows per tile; each block writes the same elements of every row
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
 *   vectors               2 to 4 columns or rows of 1 and 2 bytes, in each thread's registers
 *   transpose_ordinary    transpose(): whatever the rule chooses, but reads are never kept
 *   transpose             transpose(): whatever the rule chooses
 *
 * Elements of 1, 2, 4, 8 and 16 bytes, batches, pitches and offsets are options; --help lists them.
 */
#include "harness/harness.h"
#include "transpose/transpose.cu"

enum { SECTOR = 32, VECTOR = 16 }; /* bytes */

/* The first half of the idea: windows for the writes alone. Each output row's piece begins at a
 * multiple of WINDOW bytes of memory: a sector's 32, or an element's size, which is no window. A
 * thread stores V elements at a time, one or a vector. The rows that windows take beside a tile's
 * own are read in any case. */
template <int BYTES, int WINDOW, int V>
__global__ void __launch_bounds__(512) simple_tile(const TransposeJob job)
{
    typedef TransposeElement<BYTES> Element;
    constexpr int EXTRA = SECTOR / BYTES; /* rows read for the windows' sake */
    constexpr int ROWS = 64, HEIGHT = ROWS + EXTRA, COLS = BYTES <= 4 ? 64 : 32, THREADS = 512;
    constexpr int STEP = THREADS / COLS, LOADS = (HEIGHT + STEP - 1) / STEP;
    __shared__ Element tile[HEIGHT][COLS + 1];

    TransposeTile at = transpose_tile(job);
    int first_row = at.row * ROWS - EXTRA, first_col = at.col * COLS;
    int x = threadIdx.x % COLS, y = threadIdx.x / COLS;
    const char *from = at.in + (first_row + y) * job.in_pitch + (long long)(first_col + x) * BYTES;
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

#pragma unroll 2
    for (int i = threadIdx.x; i < COLS * (ROWS / V); i += THREADS) {
        int col = i / (ROWS / V), along = i % (ROWS / V) * V;
        if (first_col + col >= job.cols)
            return;
        char *to = at.out + (first_col + col) * job.out_pitch + (long long)at.row * ROWS * BYTES;
        int back = (int)((uintptr_t)to % WINDOW / BYTES); /* elements of the window before `to` */
        int below = EXTRA - back + along, row = first_row + below;
        to += (along - back) * BYTES; /* in bytes; by elements, nvcc 13 splits the vector store */
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

/* Returns the library's description of a problem. */
static Transpose asked_of(const Problem *p, TransposeReads reads)
{
    Transpose t = {};
    t.out = p->out;
    t.in = p->in;
    t.rows = p->rows;
    t.cols = p->cols;
    t.in_pitch = p->in_pitch;
    t.out_pitch = p->out_pitch;
    t.element_bytes = p->element_bytes;
    t.batch_dims = 1;
    t.batch[0].count = p->batches;
    t.reads = reads;
    return t;
}

static void must(TransposeError error)
{
    if (error == TRANSPOSE_OK)
        return;
    fprintf(stderr, "transpose: %s (%d)\n", transpose_error_text(error), error);
    exit(EXIT_FAILURE);
}

static TransposeProblem checked(const Transpose *t)
{
    TransposeProblem problem;
    must(transpose_check(t, &problem));
    return problem;
}

/* Returns the checked problem before there is memory: with addresses that are aligned alike. Of a
 * problem too large for any memory it says that nothing is aligned, and that no rows are packed. */
static TransposeProblem sizes_of(const Problem *p)
{
    Transpose t = asked_of(p, TRANSPOSE_READS_ORDINARY);
    t.in = (const void *)((uintptr_t)p->in % 256 + (1ull << 40));
    t.out = (void *)((uintptr_t)p->out % 256 + (1ull << 50));
    TransposeProblem problem;
    if (transpose_check(&t, &problem) != TRANSPOSE_OK)
        memset(&problem, 0, sizeof problem);
    return problem;
}

static void launch_way(const Problem *p, int way, int hints, int band_rows)
{
    Transpose t = asked_of(p, TRANSPOSE_READS_ORDINARY);
    TransposeProblem problem = checked(&t);
    TransposePlan plan = {way, hints, band_rows, 0};
    CUDA_CHECK(transpose_run<0>(&problem, &plan, 0));
}

template <int BYTES, int WINDOW, int V>
static void launch_simple_of(const TransposeProblem *problem)
{
    const TransposePlan plan = {TRANSPOSE_ELEMENTS, 0, 0, 0};
    TransposeJob job;
    TransposeGrid grid = transpose_grid(problem, &plan, &job);
    grid.down = transpose_pieces(problem->rows + WINDOW / BYTES - 1, 64);
    grid.across = transpose_pieces(problem->cols, BYTES <= 4 ? 64 : 32);
    grid.threads = 512;
    CUDA_CHECK(transpose_launch_tiles(simple_tile<BYTES, WINDOW, V>, &job, grid, 0));
}

template <int BYTES, int WINDOWS, int VECTORS>
static void launch_simple_bytes(const TransposeProblem *problem)
{
    launch_simple_of<BYTES, WINDOWS ? SECTOR : BYTES, VECTORS ? VECTOR / BYTES : 1>(problem);
}

template <int WINDOWS, int VECTORS>
static void launch_simple(const Problem *p)
{
    Transpose t = asked_of(p, TRANSPOSE_READS_ORDINARY);
    TransposeProblem problem = checked(&t);
    switch (problem.bytes) {
    case 1: launch_simple_bytes<1, WINDOWS, VECTORS>(&problem); break;
    case 2: launch_simple_bytes<2, WINDOWS, VECTORS>(&problem); break;
    case 4: launch_simple_bytes<4, WINDOWS, VECTORS>(&problem); break;
    case 8: launch_simple_bytes<8, WINDOWS, VECTORS>(&problem); break;
    default: launch_simple_bytes<16, WINDOWS, VECTORS>(&problem);
    }
}

template <int WAY, int HINTS>
static void launch_tiles(const Problem *p)
{
    launch_way(p, WAY, HINTS, 0);
}

static void launch_bands(const Problem *p)
{
    const int rows = 16896; /* of all bands that were tried on an H200, the best */
    launch_way(p, TRANSPOSE_WINDOWS, TRANSPOSE_KEEP | TRANSPOSE_LINES, rows);
}

static int small_way(const Problem *p)
{
    return sizes_of(p).aligned ? TRANSPOSE_REGISTERS_SMALL : TRANSPOSE_WINDOWS_SMALL;
}

static void launch_small_tiles(const Problem *p) { launch_way(p, small_way(p), 0, 0); }

/* Returns the way for small and narrow matrices that suits this problem, or -1. */
static int run_way(const Problem *p)
{
    TransposeProblem problem = sizes_of(p);
    const int ways[] = {TRANSPOSE_GROUPS, TRANSPOSE_COLUMNS, TRANSPOSE_ROWS};
    for (int way : ways)
        if (transpose_can(&problem, way))
            return way;
    return -1;
}

template <int HINTS>
static void launch_runs(const Problem *p)
{
    launch_way(p, run_way(p), HINTS, 0);
}

template <int READS>
static void launch_transpose(const Problem *p)
{
    Transpose t = asked_of(p, (TransposeReads)READS);
    must(transpose(&t));
}

/* ---- what a variant cannot do ---- */

static const char *needs_vectors(const Problem *p)
{
    TransposeProblem problem = sizes_of(p);
    return transpose_can(&problem, TRANSPOSE_VECTORS)
               ? NULL
               : "not 2 to 4 columns, or rows, of small elements, with the rest in whole vectors";
}

static const char *needs_alignment(const Problem *p)
{
    return sizes_of(p).aligned ? NULL
                               : "rows, columns, pitches and offset must be multiples of 16 bytes";
}

/* One row or column counts as a run of elements as large as its alignment allows. */
static const char *needs_4_bytes(const Problem *p)
{
    return sizes_of(p).bytes == 4 ? NULL : "wide tiles are for elements of 4 bytes, not for a run";
}

static const char *needs_small_tiles(const Problem *p)
{
    return transpose_tiles(small_way(p), p->element_bytes)[0] > 0
               ? NULL
               : "windows of 1-byte elements have no smaller tiles";
}

static const char *needs_runs(const Problem *p)
{
    return run_way(p) >= 0 ? NULL
                           : "neither narrow, with the other matrix packed, nor a batch of "
                             "small packed ones";
}

int main(int argc, char **argv)
{
    enum { KEEP = TRANSPOSE_KEEP, LINES = TRANSPOSE_KEEP | TRANSPOSE_LINES };
    static const Variant variants[] = {
        {"elements", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_ELEMENTS, 0>},
        {"unaligned_writes", NULL, 1, 0, 0, NULL, launch_simple<0, 0>},
        {"window_elements", NULL, 1, 0, 0, NULL, launch_simple<1, 0>},
        {"aligned_writes", NULL, 1, 0, 0, NULL, launch_simple<1, 1>},
        {"windows", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_WINDOWS, 0>},
        {"windows_keep_reads", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_WINDOWS, KEEP>},
        {"windows_whole_lines", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_WINDOWS, LINES>},
        {"windows_bands", NULL, 1, 0, 0, NULL, launch_bands},
        {"windows_wide", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_WINDOWS_WIDE, LINES>,
         needs_4_bytes},
        {"registers", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_REGISTERS, 0>, needs_alignment},
        {"registers_keep_reads", NULL, 1, 0, 0, NULL, launch_tiles<TRANSPOSE_REGISTERS, KEEP>,
         needs_alignment},
        {"small_tiles", NULL, 1, 0, 0, NULL, launch_small_tiles, needs_small_tiles},
        {"runs", NULL, 1, 0, 0, NULL, launch_runs<0>, needs_runs},
        {"runs_keep_reads", NULL, 1, 0, 0, NULL, launch_runs<KEEP>, needs_runs},
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
