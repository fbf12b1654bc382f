/*
 * Hooks for contract.cu, in the place of those that a CPU run brings: they change nothing about a
 * run, which is timed and writes what it would write on a GPU, and note when they are called.
 */
#ifndef TEST_HOOKS_H
#define TEST_HOOKS_H

enum { HOOK_TIMES = 1, HOOK_FINDS_STRAY_ACCESSES = 0 };
enum { HOOK_CHECK_BLOCKS = 64, HOOK_CHECK_THREADS = 128 };

static inline void hook_start(Options *options, Device *device)
{
    note(options->rows ? "start " : "start-without-size ");
    snprintf(device->description, sizeof device->description, "a machine of the hooks");
    device->peak = 100; /* the peak of a bandwidth in GB/s that rows are checked with */
}
static inline void hook_before_launch(const char *) { note("("); }
static inline void hook_after_launch(void) { note(")"); }
static inline void hook_after_fill(const void *, size_t) {}
static inline int hook_after_variant(int row)
{
    note(row == 0 ? "first-row" : "row");
    return getenv("CONTRACT_FAULT") != NULL;
}
static inline int hook_print(const Results *) { return 0; }
static inline int hook_write(FILE *, const Results *) { return 0; }
static inline int hook_finish(const Results *) { return getenv("CONTRACT_BAD_END") ? -1 : 0; }

#endif
