/*
 * What the three processes of a check say to each other.
 *
 *   the judge      the checker itself: has the input, compares the output, counts and marks
 *   the device     device.c with the submission's kernels, sealed (cpucc --sealed): has the matrices
 *                  while they run, and cpucc's counters
 *   the launcher   launcher.c with the submission's host code: has nothing but the sizes, and can
 *                  only ask for launches
 *
 * The device and the launcher are children of the judge, confined (confine.h), each with a socket to
 * the judge (descriptor 3) and one to the other (descriptor 4). A message is a header and `bytes`
 * bytes. The judge takes nothing on trust: a message that it does not expect ends the check.
 */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

enum { JUDGE = 3, OTHER = 4 };

enum message_kind {
    MESSAGE_REFUSED = 1, /* child -> judge: it cannot be confined; text */
    MESSAGE_READY,       /* child -> judge: from here on it is */
    MESSAGE_ALLOCATE,    /* judge -> device: struct matrices, then their contents */
    MESSAGE_ALLOCATED,   /* device -> judge: struct matrices */
    MESSAGE_CALL,        /* judge -> launcher: struct one_call */
    MESSAGE_HOST_ACCESS, /* launcher -> judge: host code touched a matrix */
    MESSAGE_RETURNED,    /* launcher -> judge: the launch function has; struct returned */
    MESSAGE_COLLECT,     /* judge -> device */
    MESSAGE_COLLECTED, /* device -> judge: struct counts, input, output; of a vast run struct pages */
    MESSAGE_REPORT,    /* judge -> device; device -> judge: text */
    MESSAGE_LINES,     /* device -> judge: addresses; judge -> device: what addr2line says */
    MESSAGE_KERNEL,    /* device -> launcher: struct kernel; the last has no name */
    MESSAGE_LAUNCH,    /* launcher -> device: struct launch_message, arguments; back: an error */
    MESSAGE_LIMIT,     /* launcher -> device: struct limit_message; back: an error */
};

struct header {
    uint32_t kind, bytes;
};

struct matrices {
    uint64_t in, out; /* addresses */
    uint64_t in_bytes, out_bytes;
    uint32_t in_place;
    /* In a vast run, of matrices larger than memory, the device makes the pages that are touched, of
     * the input's elements, which are of so many bytes, and runs some of the blocks. 0: no such run. */
    uint32_t vast_element_bytes;
    uint64_t seed;
};

/* A page that was touched, of the input or of the output (in place: that), and its bytes; the last has
 * none. They follow the message. */
enum { PAGE_BYTES = 4096 };
struct page {
    uint64_t offset; /* of the first byte in its matrix */
    uint32_t bytes, of_input;
};

struct one_call {
    uint64_t in, out, in_bytes, out_bytes;
    int32_t rows, cols, count, unused;
};

struct returned {
    int32_t error;            /* cudaGetLastError() */
    int32_t element_bytes[2]; /* of the launch function's parameters: input, output */
    char text[116];
};

enum { KERNEL_NAME = 1024, KERNEL_PARAMETERS = 128, ARGUMENT_BYTES = 4096 };

struct kernel {
    char name[KERNEL_NAME];
    uint64_t sizes[KERNEL_PARAMETERS]; /* of the parameters, 0 behind the last */
};

struct launch_message {
    char name[KERNEL_NAME];
    uint32_t grid[3], block[3], cluster[3];
    uint32_t cooperative;
    uint64_t shared;
};

struct limit_message {
    char name[KERNEL_NAME];
    int32_t attribute, value;
};

enum { COUNTERS = 8 };

struct counts {
    struct {
        uint64_t requests, work, ideal_work;
    } counter[COUNTERS]; /* in cpucc's order */
    uint64_t shared_bytes, launches, blocks, threads, faults, atomics, atomic_bytes;
    uint64_t all_blocks, blocks_run; /* of all launches */
};

/* Reads or writes all of it: 1, or 0 if the other end is gone. */
int receive_all(int from, void *p, size_t bytes);
int send_all(int to, const void *p, size_t bytes);
int send_message(int to, enum message_kind kind, const void *p, size_t bytes);

#endif
