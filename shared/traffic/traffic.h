/*
 * What one request of a warp costs: 32-byte sectors of global memory, wavefronts of shared memory.
 *
 * A request is one instruction of up to 32 lanes. Its cost is what Nsight Compute's
 * instruction-exact counters say on an H200 (smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_*,
 * smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_*): every rule below is held to the counts
 * recorded in tests/probes_<gpu>.tsv.
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
#define TRAFFIC_MAX_WAVEFRONTS 32 /* of a request, and as many sectors */

enum traffic_kind {
    TRAFFIC_GLOBAL_LOAD,
    TRAFFIC_GLOBAL_STORE,
    TRAFFIC_SHARED_LOAD,
    TRAFFIC_SHARED_STORE
};

/*
 * lanes: the lanes that take part, bit i for lane i. bytes: what each of them accesses, 1, 2, 4, 8
 * or 16. address[i]: where lane i does, in bytes, a multiple of `bytes`; in shared memory byte 0 lies
 * in bank 0. The addresses of other lanes are not looked at.
 */
struct traffic_request {
    enum traffic_kind kind;
    int bytes;
    uint32_t lanes;
    uint64_t address[TRAFFIC_LANES];
};

/* work: sectors, or wavefronts. ideal: the least that any request of this kind costs that has as many
 * lanes, as many bytes a lane and as many distinct bytes; see README.md. */
struct traffic_cost {
    int work, ideal;
};

/* The cost of a request; none of an empty or an illegal one. */
struct traffic_cost traffic_cost(const struct traffic_request *request);

/* Are bytes and addresses what the hardware takes? */
bool traffic_legal(const struct traffic_request *request);

/* A sector that a request touches, and the lanes that touch it. */
struct traffic_sector {
    uint64_t number; /* its address / 32 */
    uint32_t lanes;
};

/* The sectors of a request to global memory, in the order of their lowest lanes. Returns their
 * number, which is traffic_cost's work; 0 for other requests. */
int traffic_sectors(const struct traffic_request *request,
                    struct traffic_sector sector[TRAFFIC_MAX_WAVEFRONTS]);

/*
 * One wavefront of a request to shared memory: the word (address / 4) that each bank serves in it,
 * and the lanes that want that word; no lanes where the bank is idle. `group` numbers the sets of
 * lanes that the hardware serves together, from 0; in_group has all lanes of that set. How many
 * wavefronts a group takes is the hardware's; which word comes in which of them is not known and
 * here follows the numbers of the lanes.
 */
struct traffic_wavefront {
    int group;
    uint32_t in_group;
    uint64_t word[TRAFFIC_BANKS];
    uint32_t lanes[TRAFFIC_BANKS];
};

/* The wavefronts of a request to shared memory. Returns their number, which is traffic_cost's work;
 * 0 for other requests. */
int traffic_wavefronts(const struct traffic_request *request,
                       struct traffic_wavefront wavefront[TRAFFIC_MAX_WAVEFRONTS]);

/*
 * cp.async: lane i copies `bytes` (4, 8 or 16) bytes from address from[i] in global memory to
 * address to[i] in shared memory, both multiples of `bytes`. With `zeros` the lanes read nothing and
 * write zeros. (Where some lanes of a cp.async read and others write zeros the compiler makes two
 * instructions, hence two copies.)
 */
struct traffic_copy {
    int bytes;
    uint32_t lanes;
    bool zeros;
    uint64_t from[TRAFFIC_LANES], to[TRAFFIC_LANES];
    bool through_l1; /* 16 bytes: .ca, where .cg goes past L1; smaller ones are always .ca */
};

struct traffic_copy_cost {
    struct traffic_cost global; /* sectors */
    struct traffic_cost shared; /* wavefronts */
};

/* The cost of both sides of a copy; none of an empty or an illegal one. */
struct traffic_copy_cost traffic_copy_cost(const struct traffic_copy *copy);

#endif
