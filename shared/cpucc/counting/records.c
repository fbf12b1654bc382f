/* Keeps the counts per launch and per pc of each kernel. */
#include <stdlib.h>
#include <string.h>
#include "counting.h"

static const char *const names[CPUCC_COUNTERS] = {
    "global_load",       "global_store",      "shared_load",       "shared_store",
    "async_copy_global", "async_copy_shared", "tma_load",          "tma_store",
    "peer_load",         "peer_store",        "peer_load_packets", "peer_store_packets"};

static struct kernel_record **kernels, **reported; /* reported: from before cpucc_end_of_report */
static int kernel_count, reported_count;
static bool report_has_ended;
static struct cpucc_totals totals;
static const char *launch_name;
static struct cpucc_request first_requests[CPUCC_COUNTERS];

const char *cpucc_counter_name(int counter) { return names[counter]; }
int cpucc_counters(void) { return cpucc_device_count > 1 ? CPUCC_COUNTERS : CPUCC_PEER_LOAD; }

struct kernel_record *const *cpucc_kernels(int *count)
{
    *count = report_has_ended ? reported_count : kernel_count;
    return report_has_ended ? reported : kernels;
}

void cpucc_name_launches(const char *name) { launch_name = name; }

void cpucc_show_first(const char *name)
{
    for (int i = 0; i < kernel_count && name; i++)
        for (int n = 0; n < CALLED && kernels[i]->called[n]; n++)
            kernels[i]->first |= !strcmp(kernels[i]->called[n], name);
}

void cpucc_end_of_report(void)
{
    if (report_has_ended)
        return;
    report_has_ended = true;
    reported = kernels;
    reported_count = kernel_count;
    kernels = NULL; /* later launches get records of their own */
    kernel_count = 0;
}

void cpucc_reset(void)
{
    totals = (struct cpucc_totals){0};
    memset(first_requests, 0, sizeof first_requests);
}

int cpucc_first_request(int counter, struct cpucc_request *to)
{
    *to = first_requests[counter];
    return to->lanes != 0;
}

void cpucc_read(struct cpucc_totals *to)
{
    *to = totals;
    to->faults = cpucc_faults();
}

struct kernel_record *cpucc_begin_record(struct launch *L)
{
    struct kernel_record *r = NULL;
    for (int i = 0; i < kernel_count; i++)
        if (!strcmp(kernels[i]->name, L->config.name))
            r = kernels[i];
    if (!r) {
        r = *ADD_TO(kernels, kernel_count) = cpucc_nonnull(calloc(1, sizeof *r));
        r->name = strdup(L->config.name);
    }
    for (int n = 0; n < CALLED && launch_name; n++) {
        if (!r->called[n])
            r->called[n] = launch_name;
        if (!strcmp(r->called[n], launch_name))
            break;
    }
    struct launch_record *launch = ADD_TO(r->launches, r->launch_count);
    *launch = (struct launch_record){
        .number = r->launch_count, .grid = L->config.grid, .block = L->config.block};
    return r;
}

void cpucc_end_record(struct launch *L)
{
    struct launch_record *r = &L->record->launches[L->record->launch_count - 1];
    r->shared_bytes = L->static_bytes + L->config.shared;
    for (int c = 0; c < CPUCC_COUNTERS && L->aborted; c++)
        r->may_differ[c] |= 1u << DIFFERS_BY_FAULT;
    if (r->shared_bytes > totals.shared_bytes)
        totals.shared_bytes = r->shared_bytes;
    totals.launches++;
}

void cpucc_count(int counter, uint64_t work, uint64_t ideal)
{
    struct kernel_record *k = cpucc_the_launch->record;
    const struct cpucc_count one = {1, work, ideal};
    add_count(&k->launches[k->launch_count - 1].counter[counter], one);
    add_count(&totals.counter[counter], one);
}

struct site_count *cpucc_site(struct kernel_record *k, uintptr_t pc)
{
    return cpucc_find_or_add(&k->sites, sizeof(struct site_count), pc);
}

/* Keeps the first request per counter of warp 0 in block 0, for cpucc_first_request. */
void cpucc_note_request(struct warp *w, uint32_t group, int counter, uint32_t bytes,
                        const uint64_t *address)
{
    struct cpucc_request *r = &first_requests[counter];
    if (r->lanes || w->number || w->block->number)
        return;
    r->lanes = group;
    r->bytes = bytes;
    for (uint32_t m = group; m; m &= m - 1) {
        int i = __builtin_ctz(m);
        r->offset[i] =
            (uint32_t)((address[i] - (uintptr_t)cpucc_slots) % SLOT_BYTES) - SHARED_START;
    }
}

/* Notes that counts of shared memory may differ: libcu++ keeps an object's state there, cpucc does
 * not. */
void cpucc_library_may_differ(void)
{
    struct kernel_record *k = cpucc_current ? cpucc_the_launch->record : NULL;
    if (!k)
        return;
    unsigned *may_differ = k->launches[k->launch_count - 1].may_differ;
    may_differ[CPUCC_SHARED_LOAD] |= 1u << DIFFERS_BY_LIBRARY;
    may_differ[CPUCC_SHARED_STORE] |= 1u << DIFFERS_BY_LIBRARY;
}
