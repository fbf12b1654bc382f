/*
 * Shared-memory banks: how many wavefronts a warp's accesses to a tile take, and which swizzles
 * make them free of conflicts. ../traffic computes the cost of each request.
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
 * An access pattern. Each lane accesses `vector` consecutive elements of `bytes` bytes; both are powers
 * of two, bytes * vector <= 16. Consecutive lanes walk along the rows (from the end of a row to the
 * next), down the columns, or as `threads` maps them: lane -> 1-D coordinate of its first element. Every
 * 32 lanes make one request.
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

/* *requests: how many requests the access makes. Refused: bytes or vector out of range; a
 * tile that is too large or does not divide into vectors; vectors whose elements are not adjacent
 * and aligned in memory; threads that point outside the tile. */
bool bank_requests(const struct layout *tile, const struct bank_access *access, int *requests,
                   struct layout_error *error);

/* The cost and the conflicts of request number `request`, of an access that passed bank_requests. */
void bank_request(const struct layout *tile, const struct bank_access *access, int request,
                  struct bank_request *result);

/* The 1-D coordinate of the first element that lane `lane` (of all requests) accesses. */
int64_t bank_lane(const struct layout *tile, const struct bank_access *access, int64_t lane);

/* Request number `request` for ../traffic, with the tile at byte 0, of an access that passed
 * bank_requests. */
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
