/*
 * Tries other declarations of a kernel's shared arrays while it runs: longer rows (padding), or the last
 * two subscripts swapped. Each request is counted again as if the array were declared so.
 */
#include <stdlib.h>
#include <string.h>
#include "report_html.h"

/* Elements more in each row; the trial after these swaps the subscripts. */
static const unsigned pads[] = {1, 2, 4, 8};
enum { SWAP = sizeof pads / sizeof *pads, ILLEGAL = -1 };

/* Reads LLVM's type of an array of two subscripts or more. False if it is none. */
static bool read_type(struct trace_trial *t)
{
    unsigned size[8], count = 0, all = 1;
    for (const char *c = t->variable->type; c && *c == '[' && count < 8;
         c += strspn(c, "0123456789 x")) {
        size[count] = (unsigned)strtoul(c + 1, NULL, 10);
        all *= size[count++];
        c++;
    }
    if (count < 2 || !all || t->variable->bytes % all)
        return false;
    t->cols = size[count - 1], t->rows = size[count - 2];
    t->element = (unsigned)t->variable->bytes / all;
    return true;
}

/* Returns the kernel's record of the shared variable at the address, added if it is new; NULL if no
 * variable is there. *at is in bytes from its start. */
static struct trace_trial *trial_of(struct trace_kernel *k, uintptr_t address, unsigned *at)
{
    uintptr_t offset = (address - (uintptr_t)cpucc_slots) % SLOT_BYTES;
    const shared_site *s = cpucc_the_launch->sites;
    while (s && offset - (unsigned)s->offset >= s->bytes)
        s = s->next;
    if (!s)
        return NULL;
    *at = (unsigned)(offset - (unsigned)s->offset);
    for (int i = 0; i < k->trial_count; i++)
        if (k->trials[i].variable == s)
            return &k->trials[i];
    struct trace_trial *t = ADD_TO(k->trials, k->trial_count);
    *t = (struct trace_trial){.variable = s};
    t->fixed = !read_type(t);
    return t;
}

/* Returns where the byte `at` of the array would lie in trial i; ILLEGAL if an access of `bytes` bytes
 * would reach over the end of its row or be misaligned there. */
static int64_t moved(const struct trace_trial *t, int i, unsigned at, int bytes)
{
    unsigned element = at / t->element, within = at % t->element;
    unsigned col = element % t->cols, row = element / t->cols % t->rows;
    unsigned plane = element / t->cols / t->rows;
    int64_t to = i < SWAP ? ((int64_t)plane * t->rows + row) * (t->cols + pads[i]) + col
                          : ((int64_t)plane * t->cols + col) * t->rows + row;
    unsigned room = (i < SWAP ? t->cols - col : 1) * t->element - within;
    to = to * t->element + within;
    return (unsigned)bytes > room || to % bytes ? ILLEGAL : to;
}

/* Counts a request to shared memory again for each other declaration of its array. */
static void try_request(const struct traffic_request *r, struct traffic_cost cost)
{
    struct trace_kernel *k = cpucc_traced(cpucc_the_launch->record);
    unsigned at[WARP];
    struct trace_trial *t = trial_of(k, r->address[__builtin_ctz(r->lanes)], at);
    for (uint32_t m = r->lanes; m && t; m &= m - 1)
        if (trial_of(k, r->address[__builtin_ctz(m)], &at[__builtin_ctz(m)]) != t)
            t->fixed = true;
    if (!t || t->fixed)
        return;
    t->requests++, t->work += (uint64_t)cost.work, t->ideal += (uint64_t)cost.ideal;
    for (int i = 0; i <= SWAP; i++) {
        struct traffic_request again = *r;
        for (uint32_t m = r->lanes; m && !t->illegal[i]; m &= m - 1) {
            int64_t to = moved(t, i, at[__builtin_ctz(m)], r->bytes);
            t->illegal[i] = to == ILLEGAL;
            again.address[__builtin_ctz(m)] = (uint64_t)to;
        }
        t->would[i] += t->illegal[i] ? 0 : (uint64_t)traffic_cost(&again).work;
    }
}

static void try_counted(const struct warp *w, uintptr_t pc, int counter,
                        const struct traffic_request *r, struct traffic_cost cost)
{
    (void)w, (void)pc;
    if (counter == CPUCC_SHARED_LOAD || counter == CPUCC_SHARED_STORE)
        try_request(r, cost);
}

static void try_copy(const struct warp *w, uintptr_t pc, const struct traffic_copy *c,
                     struct traffic_copy_cost cost)
{
    struct traffic_request r = {TRAFFIC_SHARED_STORE, c->bytes, c->lanes, {0}};
    (void)w, (void)pc;
    memcpy(r.address, c->to, sizeof r.address);
    try_request(&r, cost.shared);
}

/* An array that a bulk or tensor copy fills or reads must stay as declared. */
static void keep_declaration(struct lane *l, int counter, struct async_copy *c,
                             const struct tensor_map *map, const int *box)
{
    (void)l, (void)counter, (void)map, (void)box;
    for (int i = 0; i < c->count; i++) {
        unsigned at;
        struct trace_trial *t =
            trial_of(cpucc_traced(cpucc_the_launch->record), c->pieces[i].shared, &at);
        if (t)
            t->fixed = true;
    }
}

const struct cpucc_checker cpucc_trials = {.name = "trials",
                                           .counted = try_counted,
                                           .copy_counted = try_copy,
                                           .tma_counted = keep_declaration};

void cpucc_put_trials(FILE *to, const struct trace_kernel *k)
{
    const char *comma = "";
    fprintf(to, ",\n\"tried\":[");
    for (int n = 0; n < k->trial_count; n++) {
        const struct trace_trial *t = &k->trials[n];
        uint64_t least = t->work;
        int best = -1;
        for (int i = 0; i <= SWAP && !t->fixed; i++)
            if (!t->illegal[i] && t->would[i] < least)
                best = i, least = t->would[i];
        if (best < 0)
            continue;
        fputs(comma, to);
        cpucc_put_after(to, "{\"name\":", t->variable->name);
        fprintf(to,
                ",\"type\":\"%s\",\"pad\":%u,\"requests\":%llu,\"work\":%llu,\"would\":%llu,"
                "\"ideal\":%llu}",
                t->variable->type, best < SWAP ? pads[best] : 0, (unsigned long long)t->requests,
                (unsigned long long)t->work, (unsigned long long)least,
                (unsigned long long)t->ideal);
        comma = ",";
    }
    putc(']', to);
}
