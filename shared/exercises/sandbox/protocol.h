/*
 * The messages between the three processes of a check.
 *
 *   the judge      the checker: has the input, compares the output, decides the verdict
 *   the device     device.c with the submission's kernels, sealed, i.e. compiled as untrusted code
 *                  (cpucc --sealed): has the matrices while kernels run, and cpucc's counters
 *   the launcher   launcher.c with the submission's host code: has the sizes, and can only ask the
 *                  device for launches
 *
 * The device and the launcher are confined children of the judge (confine.h). Each has a socket to the
 * judge (descriptor 3) and one to the other child, its peer (descriptor 4). A message is a struct
 * header and its `bytes` bytes. The judge trusts no message: an unexpected one ends the check.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

enum { JUDGE = 3, PEER = 4 };

enum message_kind {
    MESSAGE_REFUSED = 1, /* child -> judge, before READY: the system refused to confine it; text */
    MESSAGE_READY,       /* child -> judge: it is confined */
    MESSAGE_ALLOCATE,    /* judge -> device: struct matrices, then their contents */
    MESSAGE_ALLOCATED,   /* device -> judge: struct matrices */
    MESSAGE_CALL,        /* judge -> launcher: struct call_message */
    MESSAGE_HOST_ACCESS, /* launcher -> judge: host code touched a matrix */
    MESSAGE_RETURNED, /* launcher -> judge: the launch function returned; struct return_message */
    MESSAGE_COLLECT,  /* judge -> device */
    /* device -> judge: struct counts; then input and output, or pages; then, if bytes are altered,
     * uint32_t[BYTE_PAIRS]: how often byte i / 256 became byte i % 256 */
    MESSAGE_COLLECTED,
    MESSAGE_REPORT,    /* judge -> device; device -> judge: text */
    MESSAGE_LINES,     /* device -> judge: addresses; judge -> device: their source lines */
    MESSAGE_KERNEL,    /* device -> launcher: struct kernel; one without a name ends the list */
    MESSAGE_LAUNCH,    /* launcher -> device: struct launch_message, arguments; back: an error */
    MESSAGE_ATTRIBUTE, /* launcher -> device: struct attribute_message; back: an error */
};

enum { BYTE_PAIRS = 256 * 256 };

struct header {
    uint32_t kind, bytes;
};

struct matrices {
    uint64_t in, out; /* addresses */
    uint64_t in_bytes, out_bytes;
    uint32_t in_place;
    uint32_t large_element_bytes; /* large run (large_matrix.h): bytes per input element; else 0 */
    uint64_t seed;                /* large run: seed of the input */
    /* Not 0: what lanes load from shared memory is altered by alter(), single bytes by another random
     * number each time. */
    uint64_t alter_key;
    uint32_t alter_bytes, altered_words; /* in units of so many bytes; enum altered_words */
    uint32_t alters_numbers;             /* integers, and nothing else */
    uint32_t exchanges_free;             /* shuffles and votes may move the matrix */
    uint32_t least_high;  /* words whose upper 16 bits are less than this are integers */
    uint32_t row_bytes;   /* of the input */
    uint64_t order;       /* 0, or which other legal order blocks, warps and copies take */
    uint64_t lanes_apart; /* lanes of a warp take another order too */
};

/* A page of a large matrix that a kernel touched; its bytes follow. A page of 0 bytes ends the list. */
enum { PAGE_BYTES = 4096 };
struct page {
    uint64_t offset; /* of its first byte, from the start of the matrix */
    uint32_t bytes, of_input;
};

struct call_message {
    uint64_t in, out, in_bytes, out_bytes;
    int32_t rows, cols, count, unused;
};

struct return_message {
    int32_t error;            /* cudaGetLastError() */
    int32_t element_bytes[2]; /* bytes per element of the parameters `in` and `out` */
    char text[116];
};

enum { KERNEL_NAME = 4096, KERNEL_PARAMETERS = 128, ARGUMENT_BYTES = 40960 };

struct kernel {
    char name[KERNEL_NAME];
    uint64_t sizes[KERNEL_PARAMETERS]; /* of the parameters, in bytes; 0 ends the list */
};

struct launch_message {
    char name[KERNEL_NAME];
    uint32_t grid[3], block[3], cluster[3];
    uint32_t cooperative;
    uint64_t shared;
};

struct attribute_message {
    char name[KERNEL_NAME];
    int32_t attribute, value;
};

/* The exit statuses of a device that cannot allocate memory, and of a launcher that has called abort(). */
enum { DEVICE_OUT_OF_MEMORY = 3, LAUNCHER_ABORTED = 134 };

enum { COUNTERS = 8 };

struct counts {
    struct {
        uint64_t requests, work, ideal_work;
    } counter[COUNTERS + 2];                  /* in cpucc's order; ldmatrix; stmatrix */
    uint64_t launches, blocks, blocks_run;    /* blocks of all grids; those that ran */
    uint64_t working_blocks, working_threads; /* with requests; of a block, in half of these */
    uint64_t shared_bytes, threads;           /* of a block: the most of any launch */
    uint64_t least_threads, shared_used;      /* of shared_bytes: stored to and then loaded */
    uint64_t tile_rows,
        variable_bytes;       /* rows that half of the blocks load from; of all variables */
    uint64_t stores_per_load; /* requests, of shared memory, from which one for loads takes */
    uint64_t faults, atomics, atomic_bytes, exchanges, local_bytes, phases;
    uint64_t later_bytes,
        in_flight; /* bytes of loads by TMA: on mbarriers that loads have used; on the way when others came */
    /* Set by the judge: percent of the output from shared memory; elements that integers there decide. */
    uint64_t through_shared, decided;
};

/* Replaces a unit of 2 or 4 bytes by another one, or `back` again, by a permutation that the key decides.
 * Who does not know the key learns a unit's replacement only by having it replaced. */
void alter(void *unit, uint32_t bytes, uint64_t key, int back);

/* Receives exactly `bytes` bytes; 0 if the other end closes or fails first, else 1. */
int receive_all(int from, void *p, size_t bytes);
/* Sends exactly `bytes` bytes; 0 if the other end closes or fails first, else 1. */
int send_all(int to, const void *p, size_t bytes);
/* Sends a header and `bytes` bytes; 0 on failure, else 1. */
int send_message(int to, enum message_kind kind, const void *p, size_t bytes);

#endif
