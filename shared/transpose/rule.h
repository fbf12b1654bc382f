/*
 * rule.h: which ways to transpose a problem there are, and which is taken. Plain C (and C++) without
 * CUDA: it can be tested without a GPU.
 */
#ifndef TRANSPOSE_RULE_H
#define TRANSPOSE_RULE_H

#include <math.h>
#include <stdio.h>

#include "transpose/problem.h"

/* ---- ways ---- */

/* A way is a kernel and its tiles: see core.cuh, narrow.cuh. */
enum {
    TRANSPOSE_COPY, /* one row: cudaMemcpy, or transpose_copies */
    TRANSPOSE_ELEMENTS,
    TRANSPOSE_WINDOWS,
    TRANSPOSE_WINDOWS_SMALL,
    TRANSPOSE_WINDOWS_WIDE,
    TRANSPOSE_REGISTERS,
    TRANSPOSE_REGISTERS_SMALL,
    TRANSPOSE_REGISTERS_TALL,
    TRANSPOSE_COLUMNS,
    TRANSPOSE_ROWS,
    TRANSPOSE_VECTORS,
    TRANSPOSE_GROUPS,
    TRANSPOSE_GATHER,
    TRANSPOSE_WAYS
};

enum { TRANSPOSE_KEEP = 1, TRANSPOSE_LINES = 2 }; /* hints; LINES only with KEEP */

/* Most rows or columns of a narrow matrix and of transpose_few_columns(); a block of transpose_runs()
 * has room for a group of matrices of up to so many bytes, of twice as many above 4 bytes per element. */
enum {
    TRANSPOSE_NARROW = 64,
    TRANSPOSE_VECTORS_MOST = 4,
    TRANSPOSE_GROUPS_BYTES = 4096,
    TRANSPOSE_STACK_BYTES = 32768
};

/* Returns the column of a table that has one per element size. */
#define TRANSPOSE_SIZE_INDEX(bytes) (((bytes) > 1) + ((bytes) > 2) + ((bytes) > 4) + ((bytes) > 8))

/* Rows, columns and warps of tiles, and the blocks per SM for which the compiler leaves registers, by way
 * from TRANSPOSE_ELEMENTS on and by element size (1, 2, 4, 8, 16 bytes); 0: there are none. Pieces of
 * rows of large tiles have 128 or 256 bytes, for DRAM's sake. */
#ifdef __cplusplus
constexpr
#else
static const
#endif
    short transpose_tile_table[7][5][4] = {
        {{64, 64, 8}, {32, 32, 8}, {32, 32, 8}, {32, 32, 8}, {16, 16, 8}},
        {{128, 128, 8, 5}, {128, 64, 8, 6}, {64, 64, 16, 4}, {64, 32, 16, 4}, {32, 16, 8, 8}},
        {{0}, {64, 64, 4, 12}, {32, 32, 4, 16}, {64, 32, 16, 4}, {32, 16, 8, 8}},
        {{0}, {0}, {64, 128, 16, 4}, {0}, {0}},
        {{128, 256, 16, 3}, {128, 128, 16, 3}, {64, 64, 16, 4}, {16, 32, 4, 1}, {32, 16, 8, 8}},
        {{128, 64, 4, 1}, {64, 64, 4, 1}, {32, 32, 4, 1}, {16, 32, 4, 1}, {16, 16, 4, 1}},
        {{256, 64, 8, 6}, {128, 64, 8, 6}, {128, 32, 8, 6}, {0}, {0}},
};

static inline const short *transpose_tiles(int way, int bytes)
{
    return transpose_tile_table[way - TRANSPOSE_ELEMENTS][TRANSPOSE_SIZE_INDEX(bytes)];
}

/* Returns the tiles, a block each, that all SMs of an H200 or H100 hold at a time if threads are the limit. */
static inline int transpose_in_flight(const short *tile) { return 132 * (64 / tile[2]); }

/* Returns whether a way has large tiles, whose order and hints a plan chooses. */
static inline int transpose_tiled(int way)
{
    return way >= TRANSPOSE_WINDOWS && way <= TRANSPOSE_REGISTERS_TALL;
}

/* Returns whether a narrow matrix's few side is its columns, and the input one run of memory. */
static inline int transpose_few_cols(const TransposeProblem *p)
{
    return p->packed_in && p->cols <= p->rows;
}

/* Returns whether a way can do a problem. */
static inline int transpose_can(const TransposeProblem *p, int way)
{
    const int cols = transpose_few_cols(p);
    const long long few = cols ? p->cols : p->rows;
    if (way < 0 || way >= TRANSPOSE_WAYS)
        return 0;
    if (way == TRANSPOSE_COPY || p->run)
        return way == TRANSPOSE_COPY && p->run;
    if (way == TRANSPOSE_ELEMENTS || p->interleaved)
        return way == TRANSPOSE_ELEMENTS;
    switch (way) { /* one row, or column, of a packed matrix is a run */
    case TRANSPOSE_COLUMNS: return p->bytes < 16 && p->packed_in && p->cols <= TRANSPOSE_NARROW;
    case TRANSPOSE_ROWS: return p->bytes < 16 && p->packed_out && p->rows <= TRANSPOSE_NARROW;
    case TRANSPOSE_VECTORS:
        return p->bytes <= 2 && few <= TRANSPOSE_VECTORS_MOST &&
               (cols || (p->packed_out &&
                         (p->in_bits | p->out_bits | p->in_pitch | p->cols * p->bytes) % 16 == 0));
    case TRANSPOSE_GROUPS:
        return p->packed && p->batches > 1 &&
               p->rows * p->cols * p->bytes <= (p->bytes <= 4 ? 1 : 2) * TRANSPOSE_GROUPS_BYTES;
    case TRANSPOSE_GATHER: /* an int counts the elements, with those that the last block adds */
        return p->bytes >= 4 && p->rows * p->cols < INT_MAX / 2 && few <= 8 &&
               (cols || (p->packed_out && p->rows < p->cols));
    default:
        return transpose_tiles(way, p->bytes)[0] > 0 && (way < TRANSPOSE_REGISTERS || p->aligned);
    }
}

/* Returns whether a way's tiles go over packed matrices as over a single one that is as tall as all of them
 * together. Matrices of few rows do not fill a tile; large ones would be walked in another order. */
static inline int transpose_stacks(const TransposeProblem *p, int way)
{
    return way >= TRANSPOSE_REGISTERS && way <= TRANSPOSE_REGISTERS_TALL && p->packed &&
           p->batches > 1 && p->rows % transpose_tiles(way, p->bytes)[0] != 0 &&
           p->rows * p->cols * p->bytes <= TRANSPOSE_STACK_BYTES &&
           p->rows * p->batches < INT_MAX / 2;
}

/* ---- the rule ---- */

enum { TRANSPOSE_WIDE, TRANSPOSE_FEW_COLS, TRANSPOSE_FEW_ROWS, TRANSPOSE_SMALL }; /* forms */

/* What the model knows of a problem and a way. The time of a way, as a multiple of a copy's time, is
 * exp(sum of factor * term). The factors were fitted by `tune` to measured times. For groups `idle` and
 * `torn` are what transpose_group_terms() says. */
enum {
    TRANSPOSE_ALWAYS, /* 1 */
    TRANSPOSE_IDLE,   /* area of the tiles, or of gather's blocks, over the matrix's, less 1 */
    TRANSPOSE_TORN,   /* sectors torn per piece of an output row that a tile writes; no tile: 1 */
    TRANSPOSE_SHORT,  /* 1 over the narrow side */
    TRANSPOSE_LITTLE, /* 4 KB over the matrix's bytes */
    TRANSPOSE_COLUMN, /* share of L2 that a column of tiles fills until lines are used again */
    TRANSPOSE_TINY,   /* input and output are less than a tenth of L2, */
    TRANSPOSE_HELD,   /* or less than 0.7 of it, so that L2 holds both */
    TRANSPOSE_LAUNCH, /* if tiny: how often L2 could hold it, as a power of 2 */
    TRANSPOSE_IDLE_HELD, /* idle once more, if L2 holds both matrices */
    TRANSPOSE_LARGE,     /* 1 - sqrt(3 / traffic) if input and output are more than 3 times L2 */
    TRANSPOSE_BROAD,     /* the narrow side, up to 128, over 64 */
    TRANSPOSE_WIDTH,     /* the columns, up to 128, over 64 */
    TRANSPOSE_OUT_LINES, /* 1: some output row begins inside a line of 128 bytes */
    TRANSPOSE_IN_LINES,  /* 1: some input row does */
    TRANSPOSE_ROOM,    /* tiles that the GPU holds at a time over the tiles there are, at most 4 */
    TRANSPOSE_STACKED, /* if tiles go over several matrices: 1 over the tiles that one is wide */
    TRANSPOSE_TERMS
};

typedef struct {
    unsigned char form, bytes, aligned, way;
    float factor[TRANSPOSE_TERMS];
} TransposeRule;

static inline int transpose_form(const TransposeProblem *p)
{
    return transpose_can(p, TRANSPOSE_GROUPS)                          ? TRANSPOSE_SMALL
           : transpose_can(p, TRANSPOSE_COLUMNS) && p->cols <= p->rows ? TRANSPOSE_FEW_COLS
           : transpose_can(p, TRANSPOSE_ROWS) && p->rows <= p->cols    ? TRANSPOSE_FEW_ROWS
                                                                       : TRANSPOSE_WIDE;
}

/* Returns the input's and output's bytes as a multiple of L2. */
static inline double transpose_traffic(const TransposeProblem *p, double l2_bytes)
{
    return 2.0 * (double)p->rows * (double)p->cols * p->bytes * p->batches / l2_bytes;
}

/* Returns how many pieces of `size` cover `length`. */
static inline long long transpose_pieces(long long length, long long size)
{
    return (length + size - 1) / size;
}

/* Returns the largest power of two that divides a number, at most `most`. */
static inline double transpose_power(long long number, long long most)
{
    const long long power = number & -number;
    return (double)(power < most ? power : most);
}

/* Returns how long the pieces of `size`, a power of two, are together that cover `length`. */
static inline double transpose_covered(long long length, long long size)
{
    return (double)((length + size - 1) & -size);
}

/* Fills in the terms that are the same for all ways. */
static inline void transpose_problem_terms(const TransposeProblem *p, double l2_bytes,
                                           float term[TRANSPOSE_TERMS])
{
    const double traffic = transpose_traffic(p, l2_bytes);
    const double few = (double)(p->rows < p->cols ? p->rows : p->cols);
    /* What is read and written for one column of tiles. */
    const double column = (double)p->rows * (2 * 256 + 128) / l2_bytes;
    memset(term, 0, TRANSPOSE_TERMS * sizeof *term);
    term[TRANSPOSE_ALWAYS] = 1;
    term[TRANSPOSE_SHORT] = 1 / (float)few;
    term[TRANSPOSE_LITTLE] =
        (float)fmin(4096.0 / ((double)p->rows * (double)p->cols * p->bytes), 64);
    term[TRANSPOSE_COLUMN] = (float)fmin(column, 1.5);
    term[TRANSPOSE_TINY] = traffic < 0.1;
    term[TRANSPOSE_HELD] = traffic >= 0.1 && traffic < 0.7;
    term[TRANSPOSE_LAUNCH] = traffic < 0.1 ? (float)-log2(fmax(traffic, 1e-3)) : 0;
    term[TRANSPOSE_LARGE] = traffic > 3 ? (float)(1 - sqrt(3 / traffic)) : 0;
    term[TRANSPOSE_BROAD] = (float)fmin(few, 128) / 64;
    term[TRANSPOSE_WIDTH] = (float)fmin((double)p->cols, 128) / 64;
    term[TRANSPOSE_OUT_LINES] = (p->out_bits | p->out_pitch) % 128 != 0;
    term[TRANSPOSE_IN_LINES] = (p->in_bits | p->in_pitch) % 128 != 0;
}

/* Fills in `idle` and `torn` for groups: the share of a block's 16 KB that one group fills, so that threads
 * use a place once; and, over 5, the power of two of lanes that meet in a bank: lanes lie a unit's worth of
 * rows apart, down as many columns as it takes. */
static inline void transpose_group_terms(const TransposeProblem *p, double *idle, double *meet)
{
    const int unit = p->bytes <= 2 ? 4 : 16; /* bytes */
    const long long bytes = p->rows * p->cols * p->bytes;
    const double lanes = fmax(fmin((double)(p->rows * p->bytes) / unit, 32), 1);
    const double banks = 128 / transpose_power(p->cols * unit, 128);
    *idle = fmin((double)bytes / transpose_power(bytes, unit) * unit / 16384, 1);
    *meet = log2(fmax(lanes / banks, 1)) / 5;
}

/* Fills in the terms of a way, after transpose_problem_terms(). */
static inline void transpose_way_terms(const TransposeProblem *p, int way,
                                       float term[TRANSPOSE_TERMS])
{
    const int windows = way >= TRANSPOSE_WINDOWS && way <= TRANSPOSE_WINDOWS_WIDE;
    const int extra = p->sectors ? 0 : 32 / p->bytes, line = 128 / p->bytes;
    double idle = 0, torn = 1, room = 0, stacked = 0;
    if (way == TRANSPOSE_COLUMNS) {
        const long long rows = p->rows + extra;
        idle = (transpose_covered(rows, line) - (double)rows) / (double)p->rows;
    } else if (way == TRANSPOSE_ROWS) {
        idle = transpose_covered(p->cols, line) / (double)p->cols - 1;
    } else if (way == TRANSPOSE_GROUPS) {
        transpose_group_terms(p, &idle, &torn);
    } else if (way == TRANSPOSE_GATHER) { /* a block has 128 vectors, of few columns 16 times 8 */
        const long long size = p->rows * p->cols, v = 16 / p->bytes;
        const long long all =
            transpose_few_cols(p) ? transpose_pieces(p->rows, 8 * v) * 8 * v * p->cols : size;
        idle = transpose_covered(all, 128 * v) / (double)size - 1;
    } else if (way == TRANSPOSE_ELEMENTS || transpose_tiled(way)) {
        const short *tile = transpose_tiles(way, p->bytes);
        const int stacks = transpose_stacks(p, way);
        const long long all = stacks ? p->rows * p->batches : p->rows;
        const long long across = transpose_pieces(p->cols, tile[1]);
        const double down = transpose_covered(all + (windows && extra ? extra - 1 : 0), tile[0]);
        idle = down / (double)all * transpose_covered(p->cols, tile[1]) / (double)p->cols - 1;
        torn = windows ? 0 : 32.0 / (tile[0] * p->bytes);
        room = (double)transpose_in_flight(tile) /
               (double)(transpose_pieces(all, tile[0]) * across) /
               (stacks ? 1 : (double)p->batches);
        stacked = stacks ? 1 / (double)across : 0;
    }
    term[TRANSPOSE_IDLE] = (float)fmin(idle, 10);
    term[TRANSPOSE_TORN] = extra || way == TRANSPOSE_GROUPS ? (float)torn : 0;
    term[TRANSPOSE_IDLE_HELD] =
        (term[TRANSPOSE_TINY] + term[TRANSPOSE_HELD]) * term[TRANSPOSE_IDLE];
    term[TRANSPOSE_ROOM] = (float)fmin(room, 4);
    term[TRANSPOSE_STACKED] = (float)stacked;
}

/* Returns whether a rule is for such a problem, and its way can do it. */
static inline int transpose_applies(const TransposeRule *rule, const TransposeProblem *p, int form)
{
    return rule->form == form && rule->bytes == p->bytes && rule->aligned == p->aligned &&
           transpose_can(p, rule->way);
}

/* Returns the way that a table's model expects to be the fastest. */
static inline int transpose_best_way(const TransposeProblem *p, double l2_bytes,
                                     const TransposeRule *table, size_t length)
{
    const int form = transpose_form(p);
    int best = p->run ? TRANSPOSE_COPY : TRANSPOSE_ELEMENTS;
    float least = 1e30f, term[TRANSPOSE_TERMS];
    transpose_problem_terms(p, l2_bytes, term);
    for (const TransposeRule *rule = table; rule < table + length; rule++) {
        float takes = 0;
        if (!transpose_applies(rule, p, form))
            continue;
        transpose_way_terms(p, rule->way, term);
        for (int k = 0; k < TRANSPOSE_TERMS; k++)
            takes += rule->factor[k] * term[k];
        if (takes < least) {
            least = takes;
            best = rule->way;
        }
    }
    return best;
}

/* Returns whether L2 holds lines as an H200's does (60 MB), else as an H100's (50 MB). No other was measured. */
static inline int transpose_lasting(double l2_bytes) { return l2_bytes > 56e6; }

/* Fills in how the input is read and in which order tiles are walked, for the plan's way: order.md
 * says when and why. */
static inline void transpose_choose_order(const TransposeProblem *p, double l2_bytes,
                                          TransposeReads reads, TransposePlan *plan)
{
    const int tiles = transpose_tiled(plan->way);
    const double traffic = transpose_traffic(p, l2_bytes);
    const int lasting = transpose_lasting(l2_bytes);
    const double lasts = !lasting ? 0.25 : p->bytes < 4 ? 0.33 : p->bytes == 4 ? 0.5 : 0.36;
    const double band = lasting ? lasts : lasts / 2;
    const long long in = (long long)(uintptr_t)p->in | p->in_pitch, along = p->cols * p->bytes;
    plan->hints = plan->band_rows = plan->fronts = 0;
    if (reads == TRANSPOSE_READS_KEPT ||
        (reads == TRANSPOSE_READS_BY_SIZE && traffic >= (tiles && p->batches == 1 ? 8 : 4)))
        plan->hints = TRANSPOSE_KEEP;
    if (!tiles)
        return;
    const short *tile = transpose_tiles(plan->way, p->bytes);
    if (transpose_stacks(p, plan->way)) {
        plan->band_rows = p->cols > tile[1]; /* walks the tiles of a matrix before the next */
        return;
    }
    /* The share of L2 that lines hold until they are wanted again. */
    const double column = (double)p->rows * (2 * tile[1] * p->bytes + 128) / l2_bytes;
    const long long extra = p->sectors ? 0 : 32 / p->bytes - 1; /* rows that windows reach back */
    const long long down = transpose_pieces(p->rows + extra, tile[0]);
    const long long most = in % 128 == 0 ? 4096 : lasting || p->bytes == 1 ? 16384 : 81920;
    if (column > (lasting ? 0.5 : 0.45) && in % 256 != 0 && along <= most) {
        plan->band_rows = 1;
    } else if (plan->hints && in % (p->bytes < 8 ? 128 : 256) != 0) {
        if (p->batches == 1 || plan->way == TRANSPOSE_WINDOWS_WIDE)
            plan->hints |= TRANSPOSE_LINES;
        if (column > lasts) /* a tile left over would be a band of its own */
            plan->band_rows =
                (int)(transpose_pieces(down, 1 + (long long)(column / band))) * tile[0];
    } else if (plan->hints && p->in_pitch == 128 << 10) {
        const int in_flight = transpose_in_flight(tile);
        plan->fronts = down <= in_flight && in_flight < 2 * down;
    }
    /* Bands of a single column of tiles have the same order, by more launches. */
    if (p->cols <= tile[1])
        plan->band_rows = 0;
}

/* Fills in the plan for a problem on a device. */
static inline void transpose_choose(const TransposeProblem *p, double l2_bytes,
                                    TransposeReads reads, TransposePlan *plan)
{
    static const TransposeRule table[] = {
#include "transpose/rule_h200.h"
    };
    plan->way = transpose_best_way(p, l2_bytes, table, sizeof table / sizeof *table);
    transpose_choose_order(p, l2_bytes, reads, plan);
    /* The table is an H200's. On an H100 wide tiles lose one to two points to others that read whole lines. */
    if (plan->way == TRANSPOSE_WINDOWS_WIDE && plan->hints && !transpose_lasting(l2_bytes)) {
        plan->way = TRANSPOSE_WINDOWS;
        transpose_choose_order(p, l2_bytes, reads, plan);
    }
}

/* Writes a plan's name as snprintf() would. */
static inline int transpose_name(const TransposePlan *plan, int bytes, char *text, size_t size)
{
    static const char *const names[] = {"copy",      "elements",  "windows",   "windows", "windows",
                                        "registers", "registers", "registers", "columns", "rows",
                                        "vectors",   "groups",    "gather"};
    char tiles[32] = "", band[32] = "";
    if (transpose_tiled(plan->way)) {
        const short *t = transpose_tiles(plan->way, bytes);
        snprintf(tiles, sizeof tiles, " %dx%d", t[0], t[1]);
    }
    if (plan->band_rows > 0)
        snprintf(band, sizeof band, ", bands of %d rows", plan->band_rows);
    return snprintf(text, size, "%s%s%s%s%s%s", names[plan->way], tiles,
                    plan->hints & TRANSPOSE_KEEP ? ", keep" : "",
                    plan->hints & TRANSPOSE_LINES ? ", lines" : "", band,
                    plan->fronts ? ", two fronts" : "");
}

#endif
