/*
 * Sites: the places of device code. The front end (frontend/sites.c) writes a record for each call of
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

#endif
