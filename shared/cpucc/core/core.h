/*
 * Declares what all folders of the run time use: the running thread and launch, faults, source lines,
 * the lock of the run time. Each folder has one header for the folders above it; none uses a folder
 * above its own:
 *
 *   core         the state of a launch (launch_state.h), faults, source lines, the table of
 *                checkers (hooks.h)
 *   memory       device memory and the record of each word
 *   counting     what requests cost, per launch and source line
 *   execution    accesses, fibers, warps, blocks, launches, barriers, asynchronous copies
 *   checks       the checkers
 *   reports      the formats of the report
 *   api          the CUDA run-time API
 *   libraries    what few programs use: graphs, textures, cuBLAS, matrix instructions
 *
 * A *request* is one memory instruction of a warp, a *slot* holds the shared memory and the stacks of
 * one live block, and *serial* numbers count blocks over all launches.
 */
#ifndef CPUCC_CORE_H
#define CPUCC_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "../cpucc.h"
#include "hooks.h"
#include "kinds.h"
#include "launch_state.h"
#include "may_differ.h"
#include "private_heap.h"
#include "site.h"

#pragma GCC visibility push(hidden) /* direct access to variables of other files */

/* ---- state.c ---- */

enum { MAX_DEVICES = 8 };
extern int cpucc_device_count;           /* CPUCC_DEVICES */
extern __thread int cpucc_active_device; /* cudaSetDevice's; a launch runs on it */

extern struct lane *cpucc_current;          /* the running CUDA thread, NULL on the host */
extern struct launch *cpucc_the_launch;     /* the running launch, or NULL */
extern char *cpucc_slots, *cpucc_slots_end; /* shared memory of all slots: first byte, end */
extern size_t cpucc_stack_bytes;            /* per CUDA thread */

extern struct block *cpucc_live_blocks[MAX_LIVE_BLOCKS]; /* by slot; NULL: free slot */
extern int cpucc_live_end;                               /* slots ever used in this launch */
extern uint32_t cpucc_next_serial; /* serial of the next launch's first block */
extern uint64_t cpucc_requests;    /* requests so far; shows the watchdog that device code runs */
extern bool cpucc_signals_host;    /* the running kernel has used a system-scope fence or atomic */
struct block *cpucc_block_of(uintptr_t shared_address); /* NULL if no live block owns the address */

extern struct device_figures {
    int sms, threads_per_sm, blocks_per_sm, l2_bytes, clock_khz, memory_clock_khz, bus_bits;
    size_t memory, shared_per_block, shared_per_block_optin, shared_per_sm, reserved_shared;
    char name[64];
    int major, minor;
} cpucc_device; /* properties of the device; all sizes in bytes */

/* The pc in the program at which the function that contains this macro was called. */
#define CALLER_PC ((uintptr_t)__builtin_return_address(0))
/* The site at which device code called the run time. */
#define SITE ((uintptr_t)cpucc_at)
/* The same, but an asm statement's site if that runs. */
#define DEVICE_CALL_PC cpucc_call_pc()

static inline uintptr_t cpucc_call_pc(void)
{
    return cpucc_current && cpucc_current->asm_pc ? cpucc_current->asm_pc : SITE;
}

extern char __executable_start[]; /* set by the linker; records keep pcs relative to it */

static inline bool cpucc_recorded(void) { return cpucc_the_launch->recorded; }

static inline bool cpucc_is_shared_pointer(const void *p)
{
    return (uintptr_t)p - (uintptr_t)cpucc_slots < (uintptr_t)(cpucc_slots_end - cpucc_slots);
}

/* Returns the stamp of the lane's next access. */
static inline stamp cpucc_stamp(const struct lane *l)
{
    return (stamp){l->warp->block->serial, l->thread << CLOCK_BITS | l->clock};
}

/* Returns the number that an environment variable gives, or `otherwise` if it is unset or empty. Ends
 * the program with status 2 if it is no whole number from 1 to `most`. */
size_t cpucc_number_from(const char *variable, size_t otherwise, size_t most);

void cpucc_open_memory(void);  /* takes the run time's lock; device memory is open; may be nested */
void cpucc_close_memory(void); /* ends cpucc_open_memory */
void *cpucc_nonnull(void *p);  /* returns p; ends the program if p is NULL or MAP_FAILED */

/* Adds a record at the end of an array of the heap, and gives its address. */
#define ADD_TO(array, count)                                                                       \
    ((array) = cpucc_nonnull(realloc((array), sizeof *(array) * ((size_t)(count) + 1))),           \
     &(array)[(count)++])

/* ---- table.c: hash tables of records by address ---- */

/* Each record begins with its key, which is not 0. Adding a record may move the others. */
struct table {
    void *records;          /* some of them free: their key is 0 */
    size_t count, capacity; /* records in use, and in all */
};
void *cpucc_find(const struct table *table, size_t bytes,
                 uintptr_t key); /* NULL if there is none */
void *cpucc_find_or_add(struct table *table, size_t bytes, uintptr_t key); /* a new record is 0 */
/* Runs the next statement for each record of the table, of this type. */
#define EACH_RECORD(Type, record, table)                                                           \
    for (Type *record = (table).records, *end_ = record + (table).capacity; record < end_;         \
         record++)                                                                                 \
        if (*(const uintptr_t *)record)

/* ---- faults.c ---- */

/* A row of kinds.h. */
struct kind_text {
    enum cpucc_level level;
    const char *word, *text, *checker;
};
extern const struct kind_text cpucc_kind_texts[CPUCC_KIND_COUNT];

/* The first fault or remark of a kind at a pc. */
struct fault {
    uintptr_t pc;
    enum cpucc_kind kind;
    bool of_thread; /* a CUDA thread caused it: block, thread and device are valid */
    int device;
    index3 block, thread;
    char *kernel, *message;
    uint64_t times; /* how often it occurred */
};

/* Records a fault at the pc, attributed to the lane. Keeps the first of each kind at each place. */
void cpucc_fault(struct lane *lane, uintptr_t pc, enum cpucc_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void cpucc_print_faults(void);        /* prints the faults found since the last call */
void cpucc_write_fault_summary(void); /* prints the number of faults */
bool cpucc_write_faults(void);        /* writes CPUCC_FAULTS_FILE; false if that fails */
const struct fault *cpucc_kept_faults(int *count);  /* returns *count faults and remarks */
enum cpucc_level cpucc_level(enum cpucc_kind kind); /* returns FAULT, REMARK or OFF */
const char *cpucc_level_word(const struct fault *f);
extern bool cpucc_strict; /* CPUCC_STRICT: a DOUBT is a fault */
void cpucc_set_level(enum cpucc_kind kind, enum cpucc_level level); /* for CPUCC_CHECKS */

/* ---- source_lines.c ---- */

const char *cpucc_line(uintptr_t pc);                 /* returns "file:line", or "?" */
void cpucc_find_lines(const uintptr_t *pc, size_t n); /* looks up many lines at once */
unsigned cpucc_line_may_differ(uintptr_t pc);         /* returns bits of enum may_differ */
/* Splits "file:line": returns the length of the file's name, and the line as text or "nan". */
int cpucc_line_parts(const char *place, const char **line);
/* If not NULL, returns the output of `addr2line -a -i ADDRESSES` on this program, in processes that
 * are not permitted to start addr2line. */
extern FILE *(*cpucc_open_lines)(const char *addresses);

#pragma GCC visibility pop
#endif
