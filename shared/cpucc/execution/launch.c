/*
 * Runs launches: checks their limits, starts and ends blocks, passes the barriers of clusters and
 * grids, and detects endless waits.
 *
 * A block runs alone until it waits for other blocks (at cluster or grid barriers, or by polling
 * memory). Then further blocks start beside it, at most as many as the device holds at once.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>
#include <ucontext.h>
#include "async.h"
#include "deferred_access.h"

/* A wait counts as endless after UNCHANGED_LAUNCH requests without a new address. A request within
 * the range of earlier addresses, as in a loop over a table, counts 1/REVISIT_WEIGHT. */
enum { UNCHANGED_LAUNCH = 4000000, REVISIT_WEIGHT = 25 };

static volatile sig_atomic_t in_launch;
static pthread_t runner;      /* the host thread that launches */
static size_t patience = 10;  /* CPUCC_PATIENCE, which also limits a launch if it is set */
static size_t launch_seconds; /* processor time of the running launch */
static bool limited, overdue;
static volatile uint32_t ended_blocks; /* of the running launch */
volatile uint64_t cpucc_progress;
bool cpucc_was_launched;
uint32_t (*cpucc_sample)(uint32_t clusters, uint32_t chosen[SAMPLE]);

/* ---- cluster and grid barriers ---- */

/* Lets the blocks of a cluster or a grid pass their barrier. */
static void release_blocks(struct block **group, int n, bool grid)
{
    CPUCC_TELL(blocks_barrier, group, n, grid);
    for (int i = 0; i < n; i++) {
        EACH_WAITING(l, group[i], grid ? WAIT_GRID : WAIT_CLUSTER)
            cpucc_wake(l);
        *(grid ? &group[i]->at_grid : &group[i]->at_cluster) = 0;
        group[i]->has_met_others = true;
    }
}

/* Passes each grid or cluster barrier at which all threads have arrived; true if there was one. */
static bool pass_wide_barriers(struct launch *L, uint32_t started, uint32_t finished)
{
    static struct block *group[MAX_LIVE_BLOCKS];
    bool passed = false;
    int n = 0;
    uint32_t waiting = 0, threads = 0;
    for (int s = 0; s < cpucc_live_end; s++)
        if (cpucc_live_blocks[s]) {
            group[n++] = cpucc_live_blocks[s];
            waiting += cpucc_live_blocks[s]->at_grid;
            threads += cpucc_live_blocks[s]->threads;
        }
    if (n && waiting == threads && started == L->blocks && finished == 0) {
        release_blocks(group, n, true);
        return true;
    }
    for (int s = 0; s < cpucc_live_end; s++) {
        if (!cpucc_live_blocks[s] || !cpucc_live_blocks[s]->at_cluster)
            continue;
        uint32_t first = cpucc_live_blocks[s]->number / L->cluster_size * L->cluster_size;
        bool complete = true;
        n = 0;
        for (uint32_t i = first; i < first + L->cluster_size; i++) {
            struct block *b = cpucc_live_block(i);
            if (b && b->at_cluster + b->done == b->threads)
                group[n++] = b;
            else if (b)
                complete = false;
        }
        if (complete && n) {
            release_blocks(group, n, false);
            passed = true;
        }
    }
    return passed;
}

/* ---- launches ---- */

/* Returns whether the lane polls host memory, and prints a message if so. A kernel runs to its end
 * inside its launch, so it cannot wait for what the host does after the launch. */
static bool waits_for_host(const struct lane *l)
{
    bool hosts = l->address >= (uintptr_t)cpucc_heap_host && l->address < (uintptr_t)cpucc_heap_end;
    if (l->waiting != NOT_WAITING || (!hosts && !cpucc_registered_shadow(l->address)))
        return false;
    fprintf(stderr,
            "%s: cpucc: a kernel that waits for the host is not supported: kernels run when they "
            "are launched\n",
            cpucc_line(l->pc));
    return true;
}

static void report_deadlock(struct launch *L, bool spinning)
{
    for (int s = 0; s < cpucc_live_end; s++) {
        struct block *b = cpucc_live_blocks[s];
        if (!b)
            continue;
        for (int w = 0; w < b->warps; w++) {
            struct warp *warp = &b->warp[w];
            uint32_t m = spinning ? warp->stopped | warp->ready | warp->waiting : warp->waiting;
            if (!m)
                continue;
            struct lane *l = &warp->lane[__builtin_ctz(m)];
            if (!waits_for_host(l))
                cpucc_fault(l, l->pc, ENDLESS_WAIT, "%s", cpucc_describe_wait(l));
            L->aborted = true;
            L->error = cudaErrorLaunchTimeout;
            return;
        }
    }
}

/* Ends the blocks whose threads have all returned, and returns how many it ended. The blocks of a
 * cluster end together, because each may use the others' shared memory until then. */
static uint32_t end_finished(struct launch *L)
{
    uint32_t ended = 0;
    for (int s = 0; s < cpucc_live_end; s++) {
        struct block *b = cpucc_live_blocks[s];
        if (!b || b->done < b->threads)
            continue;
        uint32_t first = b->number / L->cluster_size * L->cluster_size, over = 0;
        for (uint32_t i = first; i < first + L->cluster_size; i++) {
            struct block *other = L->cluster_size == 1 ? b : cpucc_live_block(i);
            over += other && other->done == other->threads;
        }
        if (over < L->cluster_size)
            continue;
        for (uint32_t i = first; i < first + L->cluster_size; i++, ended++)
            cpucc_end_block(L->cluster_size == 1 ? b : cpucc_live_block(i));
    }
    return ended;
}

/* The numbers of the next clusters (of blocks, if clusters have one block) that may start. */
struct queue {
    uint32_t next, count, item[16];
};

/* Takes a cluster out of the queue: the first, unless CPUCC_SCHEDULE asks for another one. */
static uint32_t next_cluster(struct queue *q, uint32_t clusters)
{
    enum { QUEUED = sizeof q->item / sizeof *q->item };
    while (q->count < QUEUED && q->next < clusters)
        q->item[q->count++] = q->next++;
    uint32_t i = cpucc_choose("which of the queued blocks starts next", q->count);
    uint32_t chosen = q->item[i];
    q->count--;
    memmove(&q->item[i], &q->item[i + 1], (q->count - i) * sizeof *q->item);
    return chosen;
}

static void run_blocks(struct launch *L)
{
    struct queue queue = {0};
    uint32_t started = 0, finished = 0, max_live = MAX_LIVE_BLOCKS;
    uint32_t blocks = L->sampled ? L->sampled * L->cluster_size : L->blocks;
    uint32_t resident =
        (uint32_t)cpucc_device.sms * (uint32_t)cpucc_device.threads_per_sm / L->threads;
    max_live = resident < max_live ? resident : max_live;
    max_live = max_live < L->cluster_size ? L->cluster_size : max_live;
    bool want_more = true;
    uint64_t idle_since = cpucc_requests, changes_then = 0, revisits_then = cpucc_revisits;
    while (finished < blocks && !L->aborted) {
        if (started < blocks && started - finished + L->cluster_size <= max_live &&
            (started == finished || want_more || cpucc_choose("a block starts beside others", 2))) {
            uint32_t cluster = next_cluster(&queue, blocks / L->cluster_size);
            uint32_t first = (L->sampled ? L->sample[cluster] : cluster) * L->cluster_size;
            for (uint32_t i = 0; i < L->cluster_size; i++, started++)
                cpucc_start_block(L, first + i);
        }
        bool spinning = false, paused = false;
        for (int s = 0; s < cpucc_live_end && !L->aborted; s++) {
            struct block *b = cpucc_live_blocks[s];
            if (!b || b->at_grid + b->at_cluster + b->done >= b->threads)
                continue;
            enum outcome outcome = cpucc_run_block(L, b);
            spinning |= outcome == SPINNING, paused |= outcome == PAUSED;
        }
        if (L->aborted)
            break;
        uint32_t ended = end_finished(L);
        finished += ended;
        ended_blocks = finished;
        bool moved = pass_wide_barriers(L, started, finished) || ended > 0;
        want_more = !moved;
        if (moved || cpucc_state_changes != changes_then) {
            idle_since = cpucc_requests;
            changes_then = cpucc_state_changes;
            revisits_then = cpucc_revisits;
            continue;
        }
        if (started < blocks && started - finished + L->cluster_size <= max_live)
            continue;
        if (paused)
            continue;
        if (!spinning ||
            cpucc_requests - idle_since -
                    (cpucc_revisits - revisits_then) / REVISIT_WEIGHT * (REVISIT_WEIGHT - 1) >
                UNCHANGED_LAUNCH)
            report_deadlock(L, spinning);
    }
    for (int s = 0; s < cpucc_live_end; s++)
        if (cpucc_live_blocks[s])
            cpucc_end_block(cpucc_live_blocks[s]);
    cpucc_live_end = 0;
}

/* Tells after some seconds how far the launch is; on a terminal again and again. Called by a signal
 * handler. */
static void say_progress(const struct launch *L)
{
    char line[256];
    bool terminal = isatty(STDERR_FILENO);
    if (terminal ? launch_seconds % 5 : launch_seconds != 5)
        return;
    int n = snprintf(line, sizeof line,
                     "cpucc: kernel %.99s: %u of %u blocks after %zu seconds of processor time\n",
                     L->config.name, (unsigned)ended_blocks, L->sampled ? L->sampled : L->blocks,
                     launch_seconds);
    if (n > 0 && write(STDERR_FILENO, line, (size_t)n) < 0)
        return;
}

/* Counts a second of the running launch, and ends the launch if it takes too long. */
static void count_second(struct launch *L)
{
    launch_seconds++;
    say_progress(L);
    if (limited &&
        launch_seconds > patience + 1) { /* a thread that computes for ever ends before */
        overdue = L->aborted = true;
        L->error = cudaErrorLaunchTimeout;
    }
}

/* Returns a count that grows with each request, barrier and end of a thread. Device code can
 * compute for ever without calling the run time, so a signal handler compares this count every
 * second of processor time. */
static uint64_t progress(void) { return cpucc_requests + cpucc_progress; }

static void watchdog_tick(int number, siginfo_t *info, void *context)
{
    extern char __start_cpucc_text[] __attribute__((weak)),
        __stop_cpucc_text[] __attribute__((weak));
    static uint64_t last;
    static size_t idle;
    (void)number;
    if (in_launch && info->si_code != SI_TKILL) /* the timer's own signal */
        count_second(cpucc_the_launch);
    if (!in_launch || last != progress()) {
        last = progress();
        idle = 0;
        return;
    }
    if (!pthread_equal(pthread_self(), runner)) {
        pthread_kill(runner, SIGVTALRM);
        return;
    }
    struct lane *l = cpucc_current;
    uintptr_t pc = cpucc_signal_pc(context);
    bool in_kernel = pc >= (uintptr_t)__start_cpucc_text && pc < (uintptr_t)__stop_cpucc_text;
    if (++idle < patience || !l ||
        !in_kernel) /* the handler cannot leave run-time code: it tries again in a second */
        return;
    idle = 0;
    END_LAUNCH(cudaErrorLaunchTimeout, l, SITE, ENDLESS_WAIT,
               "a thread has computed for %zu seconds of processor time without touching memory, "
               "reaching a barrier or ending",
               patience);
}

uintptr_t cpucc_signal_pc(const void *context)
{
#if defined(__x86_64__)
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] + 1;
#elif defined(__aarch64__)
    return (uintptr_t)((const ucontext_t *)context)->uc_mcontext.pc + 1;
#else
    return context ? 0 : 0;
#endif
}

bool cpucc_is_launching_thread(void) { return in_launch && pthread_equal(pthread_self(), runner); }

__attribute__((constructor)) static void read_patience(void)
{
    size_t given = cpucc_number_from("CPUCC_PATIENCE", 0, 1 << 30);
    limited = given;
    patience = given ? given : patience;
}

static void start_watchdog(void)
{
    struct sigaction action = {.sa_sigaction = watchdog_tick,
                               .sa_flags = SA_RESTART | SA_SIGINFO | SA_NODEFER};
    sigaction(SIGVTALRM, &action, NULL);
    struct itimerval every = {{1, 0}, {1, 0}};
    setitimer(ITIMER_VIRTUAL, &every, NULL);
}

static int recording = 1;

int cpucc_record(int on)
{
    int before = recording;
    recording = on != 0;
    return before;
}

/* ---- limits ---- */

struct limits {
    uintptr_t function;       /* its address + 1 */
    int dynamic[MAX_DEVICES]; /* bytes that the program allowed, by device */
    bool large_clusters;
};

/* Returns what the program allowed for the function: at first nothing. */
static struct limits *limits_of(const void *function)
{
    static struct table functions;
    return cpucc_find_or_add(&functions, sizeof(struct limits), (uintptr_t)function | 1);
}

void cpucc_allow_large_clusters(const void *function, bool allowed)
{
    limits_of(function)->large_clusters = allowed;
}

void cpucc_set_dynamic_limit(const void *function, int bytes)
{
    limits_of(function)->dynamic[cpucc_active_device] = bytes;
}

size_t cpucc_dynamic_limit(const void *function)
{
    if (!function)
        return cpucc_device.shared_per_block_optin;
    int allowed = limits_of(function)->dynamic[cpucc_active_device];
    return allowed > (int)cpucc_device.shared_per_block ? (size_t)allowed
                                                        : cpucc_device.shared_per_block;
}

size_t cpucc_shared_limit(const void *function)
{
    if (!function || limits_of(function)->dynamic[cpucc_active_device])
        return cpucc_device.shared_per_block_optin;
    return cpucc_device.shared_per_block;
}

cudaError_t cpucc_check_launch(const cpucc_config *c)
{
    uint64_t threads = (uint64_t)c->block.x * c->block.y * c->block.z;
    uint64_t blocks = (uint64_t)c->grid.x * c->grid.y * c->grid.z;
    uint64_t cluster = (uint64_t)c->cluster.x * c->cluster.y * c->cluster.z;
    if (!threads || threads > 1024 || c->block.x > 1024 || c->block.y > 1024 || c->block.z > 64)
        return cudaErrorInvalidConfiguration;
    if (c->grid.x > 0x7fffffff || c->grid.y > 65535 || c->grid.z > 65535)
        return cudaErrorInvalidValue; /* as an H200 does */
    if (!blocks || blocks > 0xfffffff0u)
        return cudaErrorInvalidConfiguration;
    if (!cluster || cluster > 16 || c->grid.x % c->cluster.x || c->grid.y % c->cluster.y ||
        c->grid.z % c->cluster.z)
        return cudaErrorInvalidConfiguration;
    if (cluster > 8 && c->function && !limits_of(c->function)->large_clusters)
        return cudaErrorInvalidClusterSize;
    if (c->shared > cpucc_dynamic_limit(c->function))
        return cudaErrorInvalidValue;
    uint64_t resident = (uint64_t)(cpucc_device.threads_per_sm / (int)threads * cpucc_device.sms);
    if (c->cooperative && blocks > resident)
        return cudaErrorCooperativeLaunchTooLarge;
    return cudaSuccess;
}

/* ---- launches ---- */

cudaError_t cpucc_execute(const cpucc_config *config, void (*body)(void *), void *arguments,
                          size_t bytes)
{
    static int launches;
    static bool started;
    cpucc_was_launched = true;
    if (!started && !cpucc_sealed) { /* who runs untrusted code limits its time */
        started = true;
        start_watchdog();
    }
    struct launch L = {.config = *config,
                       .number = ++launches,
                       .body = body,
                       .arguments = arguments,
                       .argument_bytes = bytes};
    L.blocks = config->grid.x * config->grid.y * config->grid.z;
    L.threads = config->block.x * config->block.y * config->block.z;
    L.cluster_size = config->cluster.x * config->cluster.y * config->cluster.z;
    if (cpucc_sample && !config->cooperative)
        L.sampled = cpucc_sample(L.blocks / L.cluster_size, L.sample);
    L.first_serial = cpucc_next_serial;
    L.ordered_serial = L.first_serial;
    cpucc_next_serial += L.blocks;
    L.recorded = recording;
    L.shared_used = SHARED_START + (config->shared ? SHARED_LINE + (uint32_t)config->shared : 0);
    cpucc_use_variables(cpucc_active_device);
    cpucc_the_launch = &L;
    L.record = L.recorded ? cpucc_begin_record(&L) : NULL;
    CPUCC_TELL(launch_starts, &L);
    cpucc_defer_start(&L);
    runner = pthread_self();
    launch_seconds = ended_blocks = 0;
    overdue = false;
    in_launch = 1;
    run_blocks(&L);
    in_launch = 0;
    if (overdue)
        cpucc_fault(NULL, config->pc, ENDLESS_WAIT,
                    "kernel %s has taken %zu seconds of processor time (CPUCC_PATIENCE), and %u of "
                    "its %u blocks have ended",
                    config->name, launch_seconds, (unsigned)ended_blocks, L.blocks);
    cpucc_current = NULL;
    cpucc_may_defer = cpucc_records_accesses = false;
    CPUCC_TELL(launch_ends, &L);
    cpucc_the_launch = NULL;
    if (L.recorded)
        cpucc_end_record(&L);
    cpucc_print_faults();
    return L.error;
}
