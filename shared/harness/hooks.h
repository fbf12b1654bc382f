/*
 * Where something that watches a program may stand between the harness and the device: a
 * simulator, a recorder. It brings a file harness_hooks.h on the include path (angle brackets: a
 * system folder will do) that defines all of the following; without one they do nothing.
 */
#ifndef HOOKS_H
#define HOOKS_H

#include "results.h"

#if __has_include(<harness_hooks.h>)
#include <harness_hooks.h>
#else

enum {
    HOOK_TIMES = 1,                /* how long a launch takes means something */
    HOOK_FINDS_STRAY_ACCESSES = 0, /* what watches finds every access outside an allocation */
    HOOK_CHECK_BLOCKS = 132 * 16   /* as many blocks as are of use to a kernel that verifies */
};

/* The command line is read and the device is open. May choose a size where none was given (rows is
 * 0), forbid measuring (verify_only), and describe the device in its own words. */
static inline void hook_start(Options *, Device *) {}

/* Around the one launch of a variant that is verified, and no other kernel. */
static inline void hook_before_launch(void) {}
static inline void hook_after_launch(void) {}

/* What counts has been launched; what follows is for verification alone. */
static inline void hook_end_of_report(void) {}

/* The variant of results->rows[row] has been verified or skipped. Returns how many faults it had
 * that the verification does not see: with one it has failed. */
static inline int hook_after_variant(int) { return 0; }

/* In the place of the harness's table on the screen and of its TSV file; 0: the harness's own. */
static inline int hook_print(const Results *) { return 0; }
static inline int hook_write(FILE *, const Results *) { return 0; }

/* The table is on the screen. Returns 0, or -1 and a message on standard error. */
static inline int hook_finish(const Results *) { return 0; }

#endif

/* Before a kernel that only reads, to verify: what watches need not watch it. */
#ifndef HOOK_UNWATCHED
#define HOOK_UNWATCHED
#endif
#endif
