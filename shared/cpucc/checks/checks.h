/*
 * Declares the checkers, and what the run-time API tells them: which operations of the device are
 * pending, and when the host waits. Each checker is an entry of the table in core/hooks.h.
 */
#ifndef CPUCC_CHECKS_H
#define CPUCC_CHECKS_H

#include "../execution/execution.h"

/* bounds.c, initialised.c, copies.c, races.c, host_access.c, streams.c */
extern const struct cpucc_checker cpucc_bounds, cpucc_initialised, cpucc_async, cpucc_races,
    cpucc_host, cpucc_streams;

void cpucc_start_checks(void); /* fills the table; runs before main(), too */

/* ---- copied_out.c ---- */

/* Notes a copy from device memory to the host, before it is made. */
void cpucc_copied_out(const void *to, const void *from, size_t bytes, uintptr_t pc);

/* ---- host_access.c ---- */

uintptr_t cpucc_user_pc(uintptr_t pc); /* returns the program's call that led into the run time */
void cpucc_signals_start(void);        /* installs the handlers of SIGSEGV and SIGBUS */

/* ---- streams.c ---- */

struct device_operation {
    uint64_t number;
    uint64_t after; /* bit mask of streams: once one of them is idle, this operation has ended */
    uint32_t first_serial, last_serial; /* blocks of a kernel */
    uintptr_t pc;                       /* of the host's call */
    const char *name;                   /* a kernel's; NULL: a copy or a fill */
    int device;                         /* of its stream */
    bool signals_host;                  /* it executed fences or atomics of system scope */
    int fenced;    /* the widest scope of its fences and releases: 0 block, 1 device, 2 system */
    bool observed; /* the running kernel, on another device, has read a flag of it */
    struct range {
        uintptr_t from, to; /* 0: none */
        bool written;
    } range[2]; /* memory of a copy or fill that kernels may use */
};
struct stream_point { /* a position in a stream, as an event records it */
    uint64_t number, streams;
};
/* Returns the *count pending operations, those that the host has not waited for. */
const struct device_operation *cpucc_pending(int *count);
/* Adds a kernel that has run to the pending operations; its blocks are serials first to last. */
void cpucc_pending_kernel(const void *stream, uint32_t first, uint32_t last, const char *name,
                          uintptr_t pc);
/* Checks a copy, or a fill (from NULL), against pending operations; adds an asynchronous one. */
void cpucc_pending_copy(const void *stream, const void *to, const void *from, size_t bytes,
                        bool asynchronous, uintptr_t pc);
/* Notes that the host frees the allocation, which waits for the owner's work; checks it against the
 * pending work of other devices. */
void cpucc_freed_by_host(const void *allocation, uintptr_t pc);
/* Checks the free of a range against pending operations, which then forget the range. */
void cpucc_pending_free(const void *stream, uintptr_t from, uintptr_t to, uintptr_t pc);
struct device_operation *
cpucc_concurrent_kernel(uint32_t serial); /* with that block; NULL if none */
/* If the operation ran on another device than `device`, returns text that names both and says what
 * orders them, else "". */
const char *cpucc_between_devices(const struct device_operation *o, int device);
/* Notes that the running kernel executes a fence, release or acquire of this scope (0 block, 1 device, 2
 * system). */
void cpucc_note_fence(int scope);
/* Notes that the running kernel reads a flag that the concurrent kernel of another device, with that
 * block, has written, both in system scope. Fences of system scope in both then order the kernels. */
void cpucc_observe_kernel(uint32_t serial);
/* Whether only fences of device scope order the kernel with that block before the running one. */
bool cpucc_only_device_scope(uint32_t serial);
/* From now on the kernel with that block counts as ordered before the running one. */
void cpucc_forget_concurrent(uint32_t serial);
void cpucc_synchronised(int device); /* the host has waited for all streams of the device */
void cpucc_synchronised_stream(const void *stream);   /* the host has waited for the stream */
struct stream_point cpucc_point(const void *stream);  /* returns the end of a stream */
void cpucc_synchronised_point(struct stream_point p); /* the host has waited for the point */
void cpucc_stream_waits(const void *stream, struct stream_point p); /* the stream waits for p */
/* Returns the flags with which the stream was made, and sets *device to its device, or leaves it if this
 * is no stream. The API sets the pointer with its first stream. */
extern unsigned (*cpucc_stream_traits)(const void *stream, int *device);

#endif
