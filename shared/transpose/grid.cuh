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
    const int v = 16 / p->bytes, side = p->bytes < 4 ? 4 / p->bytes : 1;
    const int cols = job->cols, squares = (cols + side - 1) / side;
    job->before = p->sectors ? 0 : 32 / p->bytes;
    /* Whole lines of each output row, some 16 KB of the input, but so few that all SMs get blocks. */
    const long long lines =
        transpose_pieces(p->rows + (job->before > 0 ? job->before - 1 : 0), 8 * v);
    const int most =
        transpose_share(lines, (p->bytes < 4 ? 20480 : 16384) / (128 * cols), p->batches);
    job->tile_rows = 8 * v * most;
    job->lines = (job->tile_rows + job->before) / v;
    job->width = cols + (p->in_bits % 16 != 0);
    job->line_step = v * job->in_pitch;
    job->group_pitch = job->width | 1;
    job->by_width = transpose_divisor(job->width);
    job->by_cols = transpose_divisor(cols);
    job->high = job->lines * job->group_pitch + 1;
    int shared = job->high * 16;
    if (p->bytes < 4) {
        /* Eight lanes read every fourth word; the last two bits of the pitch bring four columns to
         * other banks. */
        const int apart[] = {1, 1, 3, 2}, height = (job->tile_rows + job->before) / side;
        const int wanted = (int)(job->out_pitch / 4 + apart[job->out_pitch % 4]);
        job->turned = height + 1 + ((wanted - height - 1) & 3);
        job->by_count = transpose_divisor(height);
        /* Squares that a thread turns at a time, and lines that it writes. */
        job->count = (int)transpose_pieces(squares, transpose_pieces(squares, 4 * p->bytes));
        job->each = most % 4 == 0 ? 4 : most % 2 == 0 ? 2 : 1;
        shared += squares * side * job->turned * 4;
    }
    return {transpose_pieces(lines, most), 1, transpose_movers(job->lines * job->width, 256),
            shared, 0};
}

static inline TransposeGrid transpose_rows_grid(const TransposeProblem *p, TransposeJob *job)
{
    const int v = 16 / p->bytes, extra = 32 / p->bytes, rows = job->rows, whole = !p->shifted;
    /* Tiles are whole sectors of the output: all begin at sectors if the first one does. Pieces of
     * rows that begin anywhere share a vector with the next tile: so they are longer. */
    job->before = p->out_bits % 32 == 0 ? 0 : extra;
    const long long reach = p->cols + (job->before > 0 ? extra - 1 : 0);
    const int run = p->bytes <= 2 ? 20480 : !whole ? 40960 : p->bytes == 4 ? 24576 : 16384;
    const int piece = p->bytes > 2 && whole ? 256 : 128, along = run / rows / piece * piece;
    job->tile_rows = extra * transpose_share(transpose_pieces(reach, extra),
                                             (along > piece ? along : piece) / 32, p->batches);
    job->lines = rows;
    job->line_step = job->in_pitch;
    job->width = (job->tile_rows + job->before + v - 1) / v + p->shifted;
    job->line_pitch = job->width;
    job->group_pitch = job->width;
    job->by_width = transpose_divisor(job->width);
    job->by_count = transpose_divisor(rows);
    const long long down = transpose_pieces(reach, job->tile_rows);
    if (p->bytes >= 4) {
        const int vectors = rows * job->width;
        job->line_shift = 4 - TRANSPOSE_SIZE_INDEX(p->bytes);
        job->group_pitch = (job->line_pitch << job->line_shift) + 1;
        return {down, 1, transpose_movers(vectors, 512), (vectors + rows / v + 1) * 16, 0};
    }
    const int most = 256,
              high = (rows * p->bytes + 3) / 4; /* squares: across, one below the other */
    const int squares = (job->tile_rows + job->before) * p->bytes / 4;
    job->count =
        (int)transpose_pieces(transpose_pieces(squares, transpose_pieces(squares, most)), 32) * 32;
    job->high = (int)transpose_pieces(high, transpose_least(most / job->count, high));
    const int shared = transpose_turned_at(rows, job->line_pitch, high) * 16 +
                       rows * (job->tile_rows * p->bytes + 4) + 64;
    return {down, 1, job->count * (int)transpose_pieces(high, job->high),
            (shared + 127) / 128 * 128, 0};
}

static inline TransposeGrid transpose_gather_grid(const TransposeProblem *p, TransposeJob *job)
{
    const int v = 16 / p->bytes, cols = transpose_few_cols(p);
    /* Vectors of an output row, in eights; or of the whole output. */
    const long long vectors = cols ? transpose_pieces((p->rows + 2 * v - 2) / v, 8) * 8 * p->cols
                                   : transpose_pieces(p->rows * p->cols + v - 1, v);
    job->by_count = transpose_divisor(cols ? job->cols : job->rows);
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

static inline TransposeGrid transpose_groups_grid(const TransposeProblem *p, TransposeJob *job)
{
    const int bytes = p->bytes, extra = 32 / bytes, size = job->rows * job->cols;
    /* If rows are whole words in eights, lanes would meet one bank: then a group is a line of its own
     * with a vector of padding per 8. */
    const int padded = bytes <= 2 && job->cols % 8 == 0, unit = padded || bytes > 2 ? 16 : 4;
    int in_group = 1, along = 16384 / (size * bytes);
    while (in_group * size * bytes % unit != 0)
        in_group *= 2;
    along -= along % (!padded && along > extra ? extra : in_group);
    job->tile_rows = along;
    job->count = in_group * size;
    job->padded = padded;
    job->lines = padded ? along / in_group : 1;
    job->line_step = (long long)job->count * bytes;
    job->width = (padded ? job->count : along * size) * bytes / 16 + 2;
    job->group_pitch = job->width + padded * (job->width / 8);
    job->by_width = transpose_divisor(job->width);
    job->by_count = transpose_divisor(size);
    job->by_cols = transpose_divisor(job->rows);
    return {transpose_pieces(p->batches, along), 1, 256, job->lines * job->group_pitch * 16, 1};
}

static inline TransposeGrid transpose_copies_grid(const TransposeProblem *p, TransposeJob *job)
{
    job->line_shift = TRANSPOSE_SIZE_INDEX(p->bytes);
    job->count = (int)transpose_least(p->cols, 256);
    job->tile_rows = 256 / job->count;
    job->by_count = transpose_divisor(job->count);
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
    for (int d = 0; d < 3; d++) {
        job->batch[d] = p->batch[d];
        job->in_stride[d] = p->in_stride[d];
        job->out_stride[d] = p->out_stride[d];
        job->by_batch[d] = transpose_divisor(p->batch[d]);
    }
    switch (plan->way) {
    case TRANSPOSE_COPY: return transpose_copies_grid(p, job);
    case TRANSPOSE_COLUMNS: return transpose_columns_grid(p, job);
    case TRANSPOSE_ROWS: return transpose_rows_grid(p, job);
    case TRANSPOSE_VECTORS: return transpose_vectors_grid(p, job);
    case TRANSPOSE_GROUPS: return transpose_groups_grid(p, job);
    case TRANSPOSE_GATHER: return transpose_gather_grid(p, job);
    default: return transpose_tile_grid(p, plan, job);
    }
}

#endif
