/*
 * Shared-memory banks: how many wavefronts a warp's accesses to a tile take, and which swizzles
 * make them free of conflicts.
 *
 * What a request costs is ../traffic's to say, which holds its rules to the hardware's counts.
 */
#ifndef LAYOUT_BANKS_H
#define LAYOUT_BANKS_H

#include "layout.h"
#include "../traffic/traffic.h"

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
    bool store;  /* a store, else a load: a load serves some lanes together that a store does not */
    bool global; /* to global memory, else to shared memory; bank_request takes none of these */
    struct layout threads;
};

struct bank_request {
    int lanes; /* active ones, the first of the warp */
    int wavefronts;
    int ideal;  /* the least for as many lanes and distinct bytes: see ../traffic/README.md */
    int degree; /* most distinct words in one bank within one group of lanes; 1: no conflict */
    int sets;   /* sets of lanes that want different words of one bank at a time */
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

/* The 1-D coordinate in the tile of the first element that lane `lane` of all accesses. */
int64_t bank_lane(const struct layout *tile, const struct bank_access *access, int64_t lane);

/* Request number `request` as ../traffic takes it: the tile begins at byte 0. The access must have
 * passed bank_requests. */
void bank_traffic(const struct layout *tile, const struct bank_access *access, int request,
                  struct traffic_request *asked);

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
