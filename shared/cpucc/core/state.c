/* Defines the variables of core.h that describe the run as a whole, the run time's lock, the table of checkers. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>
#include "core.h"

int cpucc_device_count = 1;
__thread int cpucc_active_device;
struct lane *cpucc_current;
struct launch *cpucc_the_launch;
const struct cpucc_site *cpucc_at;
char *cpucc_slots, *cpucc_slots_end;
size_t cpucc_stack_bytes = (512 << 10) + STACK_GUARD + STACK_RESERVE;

struct block *cpucc_live_blocks[MAX_LIVE_BLOCKS];
int cpucc_live_end;
uint32_t cpucc_next_serial = 1;
uint64_t cpucc_requests;
bool cpucc_signals_host;

size_t cpucc_number_from(const char *variable, size_t otherwise, size_t most)
{
    const char *text = getenv(variable);
    char *end;
    if (!text || !*text)
        return otherwise;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 0);
    if (errno || *end || strspn(text, "+- ") || !n || n > most) {
        fprintf(stderr, "%s=%s: must be a whole number from 1 to %zu\n", variable, text, most);
        _exit(2);
    }
    return (size_t)n;
}

struct block *cpucc_block_of(uintptr_t address)
{
    return cpucc_live_blocks[(address - (uintptr_t)cpucc_slots) / SLOT_BYTES];
}

/* The properties of an NVIDIA H200 as cudaGetDeviceProperties reports them (driver 580). */
struct device_figures cpucc_device = {.sms = 132,
                                      .threads_per_sm = 2048,
                                      .blocks_per_sm = 32,
                                      .l2_bytes = 62914560,
                                      .clock_khz = 1980000,
                                      .memory_clock_khz = 3201000,
                                      .bus_bits = 6016,
                                      .memory = (size_t)139 << 30,
                                      .shared_per_block = 49152,
                                      .shared_per_block_optin = 232448,
                                      .shared_per_sm = 233472,
                                      .reserved_shared = 1024,
                                      .name = "NVIDIA H200 (on the CPU)",
                                      .major = 9,
                                      .minor = 0};

/* ---- the lock, which the host's threads take in turn; the end of a program without memory ---- */

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static int open_depth; /* calls of cpucc_open_memory that cpucc_close_memory has not ended */

void cpucc_open_memory(void)
{
    pthread_mutex_lock(&lock);
    if (!open_depth++)
        CPUCC_TELL(host_enters);
}

void cpucc_close_memory(void)
{
    if (!--open_depth)
        CPUCC_TELL(host_leaves);
    pthread_mutex_unlock(&lock);
}

void *cpucc_nonnull(void *p)
{
    if (!p || p == MAP_FAILED) {
        fprintf(stderr, "cpucc: out of memory\n");
        exit(3);
    }
    return p;
}

/* ---- the table of checkers ---- */

void (*cpucc_listeners[CPUCC_EVENTS][CPUCC_CHECKERS + 1])(void);
void (*cpucc_check_lanes)(struct request *);

void cpucc_add_checker(const struct cpucc_checker *checker)
{
    static int count;
    void (*member[CPUCC_EVENTS])(void); /* the first one is the name */
    memcpy(member, checker, sizeof member);
    if (count++ == CPUCC_CHECKERS)
        abort();
    for (int event = 1; event < CPUCC_EVENTS; event++) {
        int i = 0;
        while (cpucc_listeners[event][i])
            i++;
        if (member[event])
            cpucc_listeners[event][i] = member[event];
    }
}
