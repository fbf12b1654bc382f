/*
 * grid.cuh: the job and the grid of a plan. Each function fills in a job for its kernel.
 */
#ifndef TRANSPOSE_GRID_CUH
#define TRANSPOSE_GRID_CUH

#include "transpose/narrow.cuh"

/* The tiles of each matrix, or of all matrices together; threads and dynamic shared memory of a block. */
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
    /* Windows end up to a sector earlier than tiles. */
    const long long rows = p->rows + (windows && !p->sectors ? 32 / p->bytes - 1 : 0);
    job->band = (int)transpose_pieces(plan->band_rows, tile[0]);
    job->fronts = plan->fronts;
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

/* Fills in the groups of transpose_runs(), after its slices. */
static inline TransposeGrid transpose_runs_grid(const TransposeProblem *p, int way,
                                                TransposeJob *job)
{
    const TransposeGrid grid =
        way == TRANSPOSE_ROWS ? transpose_rows_grid(p, job) : transpose_groups_grid(p, job);
    int in_group = 1;
    while (in_group * job->size * p->bytes % (p->bytes <= 2 ? 4 : 16) != 0)
        in_group *= 2;
    job->count = in_group * job->size;
    job->group_step = in_group * job->slice_step;
    job->by_size = transpose_divisor(job->size);
    return grid;
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
    job->by_size = transpose_divisor(job->size);
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
    job->line_shift = 31; /* no padding */
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
    case TRANSPOSE_COPY: return transpose_copies_grid(p, job);
    case TRANSPOSE_COLUMNS: grid = transpose_columns_grid(p, job); break;
    case TRANSPOSE_ROWS:
    case TRANSPOSE_GROUPS: grid = transpose_runs_grid(p, plan->way, job); break;
    case TRANSPOSE_VECTORS: return transpose_vectors_grid(p, job);
    case TRANSPOSE_GATHER: return transpose_gather_grid(p);
    default: return transpose_tile_grid(p, plan, job);
    }
    job->by_width = transpose_divisor(job->width);
    return grid;
}

#endif
