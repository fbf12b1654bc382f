/*
 * Shared-memory banks: how many wavefronts a warp's accesses to a tile take, and which swizzles
 * make them free of conflicts.
 *
 * The model: 32 banks of 4 bytes, in turn. A warp request is one instruction of up to 32 lanes.
 * With accesses of at most 4 bytes a lane, all lanes are served together; with 8 bytes, 16 lanes
 * at a time, with 16 bytes, 8 at a time. Lanes served together take one wavefront for every
 * distinct word in the bank that has most of them; lanes that want the same word share it. A
 * request takes the sum over its groups of lanes. Sources: CUDA C++ Programming Guide, "Shared
 * Memory", for banks and broadcast; the groups agree with Nsight Compute's count
 * smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared on compute capability 9.0.
 */
#ifndef LAYOUT_BANKS_H
#define LAYOUT_BANKS_H

#include "layout.h"

#define BANK_LANES 32
#define BANK_MAX_ELEMENTS (1 << 20) /* of a tile */

/* A tile is a grid: rows = size of mode 0, columns = all other modes (a layout of one mode is a
 * single row). */
int64_t tile_rows(const struct layout *tile);
int64_t tile_columns(const struct layout *tile);

enum bank_order { BANK_ROW, BANK_COLUMN, BANK_THREADS };

/*
 * Who accesses what: `vector` consecutive elements of `bytes` bytes each, a lane; bytes and
 * vector are powers of two, bytes * vector <= 16. Lanes go along the rows (a warp that reaches
 * the end of a row goes on in the next one), or down the columns, or as `threads` says: lane ->
 * 1-D coordinate of its first element. Each 32 lanes in turn are one request.
 */
struct bank_access {
    enum bank_order order;
    int bytes, vector;
    struct layout threads;
};

struct bank_request {
    int lanes;      /* active ones, the first of the warp */
    int wavefronts;
    int ideal;      /* ceil(distinct bytes / 128) */
    int degree;     /* most distinct words in one bank within one group of lanes; 1: no conflict */
    int sets;       /* sets of lanes that want different words of one bank at a time */
    uint32_t set[4 * BANK_LANES]; /* each a mask of lanes, each mask once */
};

/* How many requests the access makes of the tile. Refused: bytes or vector out of range; a
 * tile that is too large or does not divide into vectors; vectors whose elements are not adjacent
 * and aligned in memory; threads that point outside the tile. */
bool bank_requests(const struct layout *tile, const struct bank_access *access, int *requests,
                   struct layout_error *error);

/* Request number `request` of them. The access must have passed bank_requests. */
void bank_request(const struct layout *tile, const struct bank_access *access, int request,
                  struct bank_request *result);

struct swizzle_score {
    struct swizzle swizzle;
    bool legal;         /* offsets stay in the tile, vectors stay whole */
    bool free;          /* no request of any access has a conflict */
    int64_t wavefronts; /* of all requests of all accesses */
};

/* Score the `number`th candidate for a (plain) tile, in order of bits, then base, then |shift|,
 * positive before negative: bits 0 to 5, base 0 to 7, |shift| >= bits, source and target bits
 * within the tile's offsets. Returns false when there is no such candidate. */
bool swizzle_candidate(const struct layout *tile, const struct bank_access *accesses, int count,
                       int number, struct swizzle_score *score);

#endif
