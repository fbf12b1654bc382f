/*
 * Computes the cost of one request: 32-byte sectors of global memory or wavefronts of shared memory.
 *
 * A request is one load or store instruction of up to 32 lanes. Its cost equals Nsight Compute's
 * instruction-exact counters on an H200 (smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_*,
 * smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_*); tests/probes_<gpu>.tsv has the
 * recorded counts, and a test compares them.
 *
 * Pure functions: nothing is allocated, nothing is global.
 */
#ifndef TRAFFIC_H
#define TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#define TRAFFIC_LANES 32          /* of a warp */
#define TRAFFIC_BANKS 32          /* of shared memory */
#define TRAFFIC_BANK_BYTES 4      /* width of a bank */
#define TRAFFIC_SECTOR_BYTES 32   /* of global memory */
#define TRAFFIC_PACKET_BYTES 128  /* at most, of a link between devices */
#define TRAFFIC_MAX_WAVEFRONTS 32 /* of a request; also its most sectors */

enum traffic_kind {
    TRAFFIC_GLOBAL_LOAD,
    TRAFFIC_GLOBAL_STORE,
    TRAFFIC_SHARED_LOAD,
    TRAFFIC_SHARED_STORE
};

/*
 * A request. lanes: the active lanes, bit i for lane i. bytes: 1, 2, 4, 8 or 16 per lane. address[i]:
 * the byte address of lane i, a multiple of `bytes`; in shared memory, byte 0 lies in bank 0. Addresses
 * of inactive lanes are ignored.
 */
struct traffic_request {
    enum traffic_kind kind;
    int bytes;
    uint32_t lanes;
    uint64_t address[TRAFFIC_LANES];
};

/* work: sectors or wavefronts. ideal: the smallest work of any request of the same kind, active lanes,
 * bytes per lane and distinct bytes; see README.md. */
struct traffic_cost {
    int work, ideal;
};

/* Returns the cost of a request; 0 for an empty or illegal request. */
struct traffic_cost traffic_cost(const struct traffic_request *request);

/* True if `bytes` is valid and every active address is aligned to it. */
bool traffic_legal(const struct traffic_request *request);

/*
 * Returns how many pieces of at most TRAFFIC_PACKET_BYTES bytes, aligned to as many, hold the bytes of a
 * request to global memory; `ideal`: the fewest that could hold as many distinct bytes. It is a model of
 * how requests cross a link to another device. 0 for other requests.
 */
struct traffic_cost traffic_packets(const struct traffic_request *request);

/* A sector that a request touches, and the lanes that touch it. */
struct traffic_sector {
    uint64_t number; /* its address / 32 */
    uint32_t lanes;
};

/* Lists the sectors of a request to global memory, in the order of their lowest lanes. Returns their
 * number, which is the request's work; 0 for other requests. */
int traffic_sectors(const struct traffic_request *request,
                    struct traffic_sector sector[TRAFFIC_MAX_WAVEFRONTS]);

/*
 * One wavefront of a request to shared memory: per bank the word (address / 4) that it serves, and the
 * lanes that read or write that word (0: the bank is idle). A group is a set of lanes that the hardware
 * serves together; `group` is its number, from 0, and in_group its lanes. The number of wavefronts per
 * group is measured. The order of words within a group is not known and follows the lane numbers here.
 */
struct traffic_wavefront {
    int group;
    uint32_t in_group;
    uint64_t word[TRAFFIC_BANKS];
    uint32_t lanes[TRAFFIC_BANKS];
};

/* Lists the wavefronts of a request to shared memory. Returns their number, which is the request's
 * work; 0 for other requests. */
int traffic_wavefronts(const struct traffic_request *request,
                       struct traffic_wavefront wavefront[TRAFFIC_MAX_WAVEFRONTS]);

/*
 * A cp.async: lane i copies `bytes` (4, 8 or 16) bytes from address from[i] in global memory to
 * address to[i] in shared memory, both multiples of `bytes`. With `zeros` the lanes read nothing and
 * write zeros. (If some lanes read and others write zeros, the compiler makes two instructions, hence
 * two copies.)
 */
struct traffic_copy {
    int bytes;
    uint32_t lanes;
    bool zeros;
    uint64_t from[TRAFFIC_LANES], to[TRAFFIC_LANES];
    bool through_l1; /* 16 bytes only: .ca instead of .cg; smaller copies are always .ca */
};

struct traffic_copy_cost {
    struct traffic_cost global; /* sectors */
    struct traffic_cost shared; /* wavefronts */
};

/* Returns the cost of both sides of a copy; 0 for an empty or illegal copy. */
struct traffic_copy_cost traffic_copy_cost(const struct traffic_copy *copy);

/* Returns the number from 1 to n that half of the blocks reach; blocks[i] of them have i. 0: there are none. */
uint64_t traffic_median(const uint32_t *blocks, uint32_t n);

#endif
