/* Counts requests of warps. What a request costs is shared/traffic's to say. */
#include <string.h>
#include "internal.h"

static void record(const struct warp *w, uintptr_t pc, int counter,
                   const struct traffic_request *request, struct traffic_cost cost)
{
    struct site_count *site = cpucc_site(cpucc_the_launch->record, pc);
    uint64_t work = (uint64_t)cost.work, ideal = (uint64_t)cost.ideal;
    cpucc_count(pc, counter, work, ideal);
    site->counter[counter].requests++;
    site->counter[counter].work += work;
    site->counter[counter].ideal_work += ideal;
    if (work * (site->worst_ideal ? site->worst_ideal : 1) > site->worst_work * ideal) {
        site->worst_work = work, site->worst_ideal = ideal, site->worst_counter = counter;
        site->worst_block = w->block->number, site->worst_warp = (uint16_t)w->number;
        site->worst = *request;
    }
}

void cpucc_count_request(const struct warp *w, uintptr_t pc, int counter,
                         const struct traffic_request *request)
{
    record(w, pc, counter, request, traffic_cost(request));
}

void cpucc_count_copy(const struct warp *w, uintptr_t pc, const struct traffic_copy *copy)
{
    struct traffic_copy_cost cost = traffic_copy_cost(copy);
    struct traffic_request side = {
        .kind = TRAFFIC_GLOBAL_LOAD, .bytes = copy->bytes, .lanes = copy->lanes & ~copy->zeros};
    memcpy(side.address, copy->from, sizeof side.address);
    if (side.lanes)
        record(w, pc, CPUCC_ASYNC_COPY_GLOBAL, &side, cost.global);
    side.kind = TRAFFIC_SHARED_STORE, side.lanes = copy->lanes;
    memcpy(side.address, copy->to, sizeof side.address);
    record(w, pc, CPUCC_ASYNC_COPY_SHARED, &side, cost.shared);
}
