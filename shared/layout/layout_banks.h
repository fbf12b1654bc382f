/*
 * Computes how many wavefronts of shared memory a warp's accesses to a tile take, and searches for
 * swizzles that make them free of conflicts. ../traffic computes the cost of each request.
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
 * An access of many lanes to a tile. Each lane accesses `vector` consecutive elements of `bytes` bytes;
 * both are powers of two, bytes * vector <= 16. Consecutive lanes walk along the rows (from the end of
 * a row to the next) or down the columns; or `threads` maps each lane to the 1-D coordinate of its
 * first element. Every 32 lanes make one request.
 */
struct bank_access {
    enum bank_order order;
    int bytes, vector;
    bool store;  /* a store, else a load: loads may serve more lanes together */
    bool global; /* to global memory, else to shared memory; not for bank_request */
    struct layout threads;
};

struct bank_request {
    int lanes; /* active lanes, the first of the warp */
    int wavefronts;
    int ideal;  /* see ../traffic/README.md */
    int degree; /* most distinct words in one bank within one group of lanes; 1: no conflict */
    int sets;   /* sets of lanes that access different words of one bank together */
    uint32_t set[4 * BANK_LANES]; /* each a mask of lanes, each mask once */
};

/* Checks the access and sets *requests to the number of its requests. Refused: bytes or vector out of
 * range; a tile that is too large or does not divide into vectors; vectors whose elements are not
 * adjacent and aligned in memory; threads that point outside the tile. */
bool bank_requests(const struct layout *tile, const struct bank_access *access, int *requests,
                   struct layout_error *error);

/* Sets *result to the cost and the conflicts of request number `request`; bank_requests must have
 * accepted the access. */
void bank_request(const struct layout *tile, const struct bank_access *access, int request,
                  struct bank_request *result);

/* Returns the 1-D coordinate of the first element that a lane accesses; lanes count over all
 * requests. */
int64_t bank_lane(const struct layout *tile, const struct bank_access *access, int64_t lane);

/* Sets *asked to request number `request` for ../traffic, with the tile at byte 0; bank_requests
 * must have accepted the access. */
void bank_traffic(const struct layout *tile, const struct bank_access *access, int request,
                  struct traffic_request *asked);

struct swizzle_score {
    struct swizzle swizzle;
    bool legal;         /* offsets stay in the tile, vectors stay whole */
    bool free;          /* no request of any access has a conflict */
    int64_t wavefronts; /* of all requests of all accesses */
};

/* Scores the `number`th candidate swizzle for a plain tile; returns false if there is no such
 * candidate. Candidates have bits 0 to 5, base 0 to 7, |shift| >= bits, and source and target bits
 * within the tile's offsets. They are ordered by bits, then base, then |shift|, positive before
 * negative. */
bool swizzle_candidate(const struct layout *tile, const struct bank_access *accesses, int count,
                       int number, struct swizzle_score *score);

#endif
