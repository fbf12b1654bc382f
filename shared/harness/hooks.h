/*
 * Hooks for a tool that runs or records step programs (a simulator, say). The tool puts a file
 * harness_hooks.h with all of these definitions on the include path. Without that file the hooks do
 * nothing.
 */
#ifndef HOOKS_H
#define HOOKS_H

#include "results.h"

#if __has_include(<harness_hooks.h>)
#include <harness_hooks.h>
#else

enum {
    HOOK_TIMES = 1,                /* launch times are meaningful */
    HOOK_FINDS_STRAY_ACCESSES = 0, /* the tool finds every access outside an allocation */
    HOOK_CHECK_BLOCKS = 132 * 16,  /* the most blocks of a verifying kernel */
    HOOK_CHECK_THREADS = 256       /* and their threads */
};

/* Called once the command line is read and the device is open. It can choose a size if the user gave
 * none (rows is 0), forbid measuring (verify_only), and change the device's description. */
static inline void hook_start(Options *, Device *) {}

/* Called before, with the variant's name, and after the verified launch of each variant, and around no other kernel. */
static inline void hook_before_launch(const char *) {}
static inline void hook_after_launch(void) {}

/* Called after a kernel of the verification has filled these bytes. */
static inline void hook_after_fill(const void *, size_t) {}

/* Called after the last launch that counts; later launches only verify. */
static inline void hook_end_of_report(void) {}

/* Called when the variant of results->rows[row] has been verified or skipped. Returns the number of
 * faults that the tool found beyond the verification; a variant with faults fails. */
static inline int hook_after_variant(int) { return 0; }

/* Called to print the table and to write the TSV file. Return 0 to leave that to the harness. */
static inline int hook_print(const Results *) { return 0; }
static inline int hook_write(FILE *, const Results *) { return 0; }

/* Called after the table is printed. Returns 0, or -1 after a message on standard error. */
static inline int hook_finish(const Results *) { return 0; }

#endif

/* Marks a kernel of the verification, which the tool need not watch. */
#ifndef HOOK_UNWATCHED
#define HOOK_UNWATCHED
#endif
#endif
