/* Counts the requests of warps. shared/traffic computes what a request costs. */
#include <string.h>
#include "counting.h"

uint64_t cpucc_heap_atomics, cpucc_other_atomic_bytes, cpucc_exchanges, cpucc_mbarrier_phases,
    cpucc_later_bytes;
static uint32_t blocks_in_flight[SLOT_BYTES + 1];        /* 1 + so many bytes at most */
static uint64_t working_blocks, requests, most_requests; /* most: of a block */
static uint32_t blocks_with[1024 + 1];                   /* so many working threads */
struct cpucc_count cpucc_matrix_count[2];

void cpucc_note_work(const struct warp *w, uint32_t lanes)
{
    struct block *b = w->block;
    requests++;
    working_blocks += !b->requests;
    if (++b->requests > most_requests)
        most_requests = b->requests;
    b->warp[w->number].working |= lanes;
    b->warp[w->number].requests++;
}

/* Returns how many threads took part in requests; fewer if one warp made more than 1.5 times its share of them. */
static uint64_t threads_at_work(const struct block *b)
{
    uint64_t threads = 0, most = 1;
    for (int i = 0; i < b->warps; i++) {
        threads += (uint64_t)__builtin_popcount(b->warp[i].working);
        most = b->warp[i].requests > most ? b->warp[i].requests : most;
    }
    uint64_t even = 3 * b->requests * WARP / most / 2;
    return threads < even ? threads : even;
}

uint64_t cpucc_working_blocks(void)
{
    uint64_t even = most_requests ? 3 * requests / most_requests / 2 : 0;
    return working_blocks < even ? working_blocks : even;
}

void cpucc_note_in_flight(struct block *b, int64_t more_bytes)
{
    b->in_flight += (uint64_t)more_bytes;
    uint64_t left = (more_bytes != 0) + (more_bytes < 0 ? b->in_flight : 0);
    left = left < SLOT_BYTES ? left : SLOT_BYTES;
    b->most_in_flight = left > b->most_in_flight ? left : b->most_in_flight;
}

uint64_t cpucc_bytes_in_flight(void)
{
    uint64_t left = traffic_median(blocks_in_flight, SLOT_BYTES);
    return left - (left > 0);
}

uint64_t cpucc_working_threads(void) { return traffic_median(blocks_with, 1024); }

extern char __start_cpucc_device[] __attribute__((weak)),
    __stop_cpucc_device[] __attribute__((weak));
static uint64_t first_byte, end_byte; /* of the variables that are accessed, in their section */

static void note_variables(const struct traffic_request *request)
{
    for (uint32_t m = request->lanes; m; m &= m - 1) {
        uint64_t at = request->address[__builtin_ctz(m)] - (uintptr_t)__start_cpucc_device;
        if (at >= (uint64_t)(__stop_cpucc_device - __start_cpucc_device))
            continue;
        first_byte = end_byte && first_byte < at ? first_byte : at;
        at += (uint64_t)request->bytes;
        end_byte = end_byte > at ? end_byte : at;
    }
}

uint64_t cpucc_variable_bytes(void) { return end_byte - first_byte; }

enum { MOST_ROWS = 1024 };
static uint64_t matrix, matrix_bytes, row_bytes;
static uint32_t blocks_loading[MOST_ROWS + 1]; /* so many rows */

void cpucc_set_matrix(uint64_t start, uint64_t bytes, uint64_t bytes_of_row)
{
    matrix = start, matrix_bytes = bytes, row_bytes = bytes_of_row;
}

static void note_rows(struct block *b, const struct traffic_request *request)
{
    for (uint32_t m = request->lanes; m; m &= m - 1) {
        uint64_t offset = request->address[__builtin_ctz(m)] - matrix;
        if (offset >= matrix_bytes)
            continue;
        uint32_t row = (uint32_t)(offset / row_bytes);
        b->first_row = b->end_row && b->first_row < row ? b->first_row : row;
        b->end_row = b->end_row > row ? b->end_row : row + 1;
    }
}

void cpucc_note_end(const struct block *b)
{
    uint32_t rows = b->end_row - b->first_row;
    blocks_loading[rows < MOST_ROWS ? rows : MOST_ROWS]++;
    blocks_with[threads_at_work(b)] += b->requests > 0;
    blocks_in_flight[b->most_in_flight]++;
}

uint64_t cpucc_rows_loaded(void) { return traffic_median(blocks_loading, MOST_ROWS); }

/* Adds a request to the counts of its pc, and keeps the request with the highest work / ideal. */
static void record(const struct warp *w, uintptr_t pc, int counter,
                   const struct traffic_request *request, struct traffic_cost cost)
{
    struct site_count *site = cpucc_site(cpucc_the_launch->record, pc);
    uint64_t first = request->address[__builtin_ctz(request->lanes)];
    if (cpucc_is_shared_pointer((const void *)first)) /* equal in all blocks */
        first = (uintptr_t)cpucc_slots + (first - (uintptr_t)cpucc_slots) % SLOT_BYTES;
    if (first - site->array_start >= site->array_bytes && counter != CPUCC_ASYNC_COPY_SHARED)
        cpucc_note_array(site, first);
    uint64_t work = (uint64_t)cost.work, ideal = (uint64_t)cost.ideal;
    cpucc_count(counter, work, ideal);
    add_count(&site->counter[counter], (struct cpucc_count){1, work, ideal});
    if (counter == CPUCC_GLOBAL_LOAD || counter == CPUCC_GLOBAL_STORE ||
        counter == CPUCC_ASYNC_COPY_GLOBAL)
        cpucc_note_work(w, request->lanes), note_variables(request);
    if (matrix_bytes && (counter == CPUCC_GLOBAL_LOAD || counter == CPUCC_ASYNC_COPY_GLOBAL))
        note_rows(w->block, request);
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
    } latest[1024]; /* hashed by pc and pattern */
    const uint64_t *a = request->address;
    uint64_t key = pc + (a[1] - a[0]) * 31 + (a[7] - a[0]) * 523 + (a[31] - a[0]) * 8209;
    unsigned i = (unsigned)(key * 0x9e3779b97f4a7c15u >> 54);
    if (!same_pattern(&latest[i].request, request)) {
        latest[i].request = *request;
        latest[i].cost = traffic_cost(request);
    }
    record(w, pc, counter, request, latest[i].cost);
    CPUCC_TELL(counted, w, pc, counter, request, latest[i].cost);
}

void cpucc_count_peers(const struct warp *w, uintptr_t pc, struct traffic_request *request)
{
    struct traffic_request peers = *request;
    bool load = request->kind == TRAFFIC_GLOBAL_LOAD;
    for (uint32_t m = request->lanes; m; m &= m - 1)
        if (!cpucc_is_peers(request->address[__builtin_ctz(m)]))
            peers.lanes &= ~(m & -m);
    request->lanes &= ~peers.lanes;
    if (!peers.lanes)
        return;
    struct traffic_cost sectors = traffic_cost(&peers), packets = traffic_packets(&peers);
    int counter = load ? CPUCC_PEER_LOAD : CPUCC_PEER_STORE;
    record(w, pc, counter, &peers, sectors);
    CPUCC_TELL(counted, w, pc, counter, &peers, sectors);
    record(w, pc, load ? CPUCC_PEER_LOAD_PACKETS : CPUCC_PEER_STORE_PACKETS, &peers, packets);
}

/* Counts both sides of a cp.async. */
static void count_copy(const struct warp *w, uintptr_t pc, const struct traffic_copy *copy)
{
    struct traffic_copy_cost cost = traffic_copy_cost(copy);
    struct traffic_request side = {TRAFFIC_GLOBAL_LOAD, copy->bytes, copy->lanes, {0}};
    memcpy(side.address, copy->from, sizeof side.address);
    record(w, pc, CPUCC_ASYNC_COPY_GLOBAL, &side, cost.global);
    if (cpucc_device_count > 1 && !copy->zeros)
        cpucc_count_peers(w, pc, &side);
    side.lanes = copy->lanes;
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

void cpucc_count_matrices(const struct traffic_request *request)
{
    struct traffic_cost cost = traffic_cost(request);
    add_count(&cpucc_matrix_count[request->kind == TRAFFIC_SHARED_STORE],
              (struct cpucc_count){1, (uint64_t)cost.work, (uint64_t)cost.ideal});
}

void cpucc_count_tma(uintptr_t pc, int counter, uint64_t work, uint64_t ideal)
{
    cpucc_count(counter, work, ideal);
    add_count(&cpucc_site(cpucc_the_launch->record, pc)->counter[counter],
              (struct cpucc_count){1, work, ideal});
}

void cpucc_count_peer_copy(uintptr_t pc, bool load, struct traffic_cost sectors,
                           struct traffic_cost packets)
{
    cpucc_count_tma(pc, load ? CPUCC_PEER_LOAD : CPUCC_PEER_STORE, (uint64_t)sectors.work,
                    (uint64_t)sectors.ideal);
    cpucc_count_tma(pc, load ? CPUCC_PEER_LOAD_PACKETS : CPUCC_PEER_STORE_PACKETS,
                    (uint64_t)packets.work, (uint64_t)packets.ideal);
}
