/*
 * What the front end and the run time share.
 *
 * Sites are the places of device code. The front end (frontend/sites.c) writes a record for each call of
 * the run time, in the order of the code, and device code stores the record's address to cpucc_at
 * before the call. That address identifies the place, as a program counter does in host code.
 */
#ifndef CPUCC_SITE_H
#define CPUCC_SITE_H

#include <stdint.h>

struct cpucc_site {
    const char *file;    /* as the compiler names it */
    uint32_t line;       /* 0: none */
    uint32_t may_differ; /* bits of enum may_differ */
};

extern const struct cpucc_site *cpucc_at; /* of the call that device code made last */

/* Memory order, scope and kind of a strong access (atomic, volatile, or with an order). */
enum {
    ACQUIRES = 1,
    RELEASES = 2,
    BLOCK_SCOPE = 4,
    EXPLICIT_ORDER = 8, /* the source names the order relaxed */
    COMPARES = 16,      /* compare-and-swap, min or max */
    EXCHANGES = 32,     /* ignores the old value, which may be unwritten */
    COUNTING = 64,      /* an addition for which the source names no order */
    SYSTEM_SCOPE = 128,
    DECIDES = 256 /* a branch, a select or a compare-and-swap depends on the value that it reads */
};

enum { SEAL_FIXED = 4 }; /* of cpucc_seal_guard */

#endif
