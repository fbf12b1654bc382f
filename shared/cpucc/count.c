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

static void count_copy(const struct warp *w, uintptr_t pc, const struct traffic_copy *copy)
{
    struct traffic_copy_cost cost = traffic_copy_cost(copy);
    struct traffic_request side = {TRAFFIC_GLOBAL_LOAD, copy->bytes, copy->lanes, {0}};
    memcpy(side.address, copy->from, sizeof side.address);
    record(w, pc, CPUCC_ASYNC_COPY_GLOBAL, &side, cost.global);
    side.kind = TRAFFIC_SHARED_STORE;
    memcpy(side.address, copy->to, sizeof side.address);
    record(w, pc, CPUCC_ASYNC_COPY_SHARED, &side, cost.shared);
}

/* Lanes that write zeros: nvcc makes an instruction of their own for them. */
void cpucc_count_copy(const struct warp *w, uintptr_t pc, struct traffic_copy *copy, uint32_t zeros)
{
    copy->zeros = false, copy->lanes &= ~zeros;
    if (copy->lanes)
        count_copy(w, pc, copy);
    copy->zeros = true, copy->lanes = zeros;
    if (copy->lanes)
        count_copy(w, pc, copy);
}
