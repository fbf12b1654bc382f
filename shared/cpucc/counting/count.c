/* Counts the requests of warps. shared/traffic computes what a request costs. */
#include <string.h>
#include "counting.h"

uint64_t cpucc_heap_atomics, cpucc_other_atomic_bytes;

/* Adds a request to the counts of its pc, and keeps the request with the highest work / ideal. */
static void record(const struct warp *w, uintptr_t pc, int counter,
                   const struct traffic_request *request, struct traffic_cost cost)
{
    struct site_count *site = cpucc_site(cpucc_the_launch->record, pc);
    uint64_t work = (uint64_t)cost.work, ideal = (uint64_t)cost.ideal;
    cpucc_count(counter, work, ideal);
    site->counter[counter].requests++;
    site->counter[counter].work += work;
    site->counter[counter].ideal_work += ideal;
    if (work * (site->worst_ideal ? site->worst_ideal : 1) > site->worst_work * ideal) {
        site->worst_work = work, site->worst_ideal = ideal, site->worst_counter = counter;
        site->worst_block = w->block->number, site->worst_warp = (uint16_t)w->number;
        site->worst = *request;
    }
}

/* Whether two requests of whole warps differ only by an offset that does not change the cost: whole
 * sectors in global memory, or whole elements in shared memory, which rotate the banks. */
static bool same_pattern(const struct traffic_request *a, const struct traffic_request *b)
{
    bool shared = b->kind == TRAFFIC_SHARED_LOAD || b->kind == TRAFFIC_SHARED_STORE;
    uint64_t period = !shared ? TRAFFIC_SECTOR_BYTES : b->bytes < 4 ? 4 : (uint64_t)b->bytes;
    uint64_t distance = a->address[0] - b->address[0], differ = distance & (period - 1);
    if (a->kind != b->kind || a->bytes != b->bytes || (a->lanes & b->lanes) != UINT32_MAX)
        return false;
    for (int i = 0; i < TRAFFIC_LANES; i++)
        differ |= (a->address[i] - b->address[i]) ^ distance;
    return !differ;
}

void cpucc_count_request(const struct warp *w, uintptr_t pc, int counter,
                         const struct traffic_request *request)
{
    static struct {
        struct traffic_request request;
        struct traffic_cost cost;
    } latest[64]; /* hashed by pc */
    unsigned i = (unsigned)(pc * 2654435761u >> 8) % 64;
    if (!same_pattern(&latest[i].request, request)) {
        latest[i].request = *request;
        latest[i].cost = traffic_cost(request);
    }
    record(w, pc, counter, request, latest[i].cost);
    CPUCC_TELL(counted, w, pc, counter, request, latest[i].cost);
}

/* Counts both sides of a cp.async. */
static void count_copy(const struct warp *w, uintptr_t pc, const struct traffic_copy *copy)
{
    struct traffic_copy_cost cost = traffic_copy_cost(copy);
    struct traffic_request side = {TRAFFIC_GLOBAL_LOAD, copy->bytes, copy->lanes, {0}};
    memcpy(side.address, copy->from, sizeof side.address);
    record(w, pc, CPUCC_ASYNC_COPY_GLOBAL, &side, cost.global);
    side.kind = TRAFFIC_SHARED_STORE;
    memcpy(side.address, copy->to, sizeof side.address);
    record(w, pc, CPUCC_ASYNC_COPY_SHARED, &side, cost.shared);
    CPUCC_TELL(copy_counted, w, pc, copy, cost);
}

/* nvcc issues a separate instruction for the lanes that write zeros. */
void cpucc_count_copy(const struct warp *w, uintptr_t pc, struct traffic_copy *copy, uint32_t zeros)
{
    copy->zeros = false, copy->lanes &= ~zeros;
    if (copy->lanes)
        count_copy(w, pc, copy);
    copy->zeros = true, copy->lanes = zeros;
    if (copy->lanes)
        count_copy(w, pc, copy);
}

void cpucc_count_tma(uintptr_t pc, int counter, uint64_t bytes, uint64_t inside)
{
    struct site_count *s = cpucc_site(cpucc_the_launch->record, pc);
    cpucc_count(counter, bytes, inside);
    s->counter[counter].requests++;
    s->counter[counter].work += bytes;
    s->counter[counter].ideal_work += inside;
}
