/* What a warp's request costs. The rules are described in traffic.h and README.md. */
#include "traffic.h"

#include <string.h>

enum { MAX_GROUPS = 4, HALF = 16, QUARTER = 8 };

static int popcount(uint32_t mask) { return __builtin_popcount(mask); }

/* The lowest lane of a mask that is not empty. */
static int lowest(uint32_t mask) { return __builtin_ctz(mask); }

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

static int larger(int a, int b) { return a > b ? a : b; }

/* ---- sets of numbers ---------------------------------------------------------------------- */

enum { SET_ROOM = 256 }; /* twice as many as the words of a request */

struct set {
    uint64_t item[SET_ROOM];
    uint8_t used[SET_ROOM];
};

/* Adds a number; false if it was there. */
static bool add(struct set *set, uint64_t item)
{
    unsigned place = (unsigned)(item * UINT64_C(0x9e3779b97f4a7c15) >> 56);

    while (set->used[place]) {
        if (set->item[place] == item)
            return false;
        place = (place + 1) % SET_ROOM;
    }
    set->used[place] = 1;
    set->item[place] = item;
    return true;
}

/* How many different values address >> shift has among the lanes. */
static int distinct(const uint64_t *address, uint32_t lanes, int shift)
{
    struct set set;
    uint64_t last = 0;
    uint32_t left = lanes;
    int count = 0;

    /* Neighbours are often in order: then no set is needed. */
    for (; left; left &= left - 1) {
        uint64_t item = address[lowest(left)] >> shift;
        if (count && item < last)
            break;
        count += !count || item != last;
        last = item;
    }
    if (!left)
        return count;
    memset(set.used, 0, sizeof set.used);
    for (count = 0; lanes; lanes &= lanes - 1)
        count += add(&set, address[lowest(lanes)] >> shift);
    return count;
}

/* ---- legality ----------------------------------------------------------------------------- */

static bool legal_bytes(int bytes)
{
    return bytes >= 1 && bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

static bool aligned(const uint64_t *address, uint32_t lanes, int bytes)
{
    uint64_t any = 0;
    for (; lanes; lanes &= lanes - 1)
        any |= address[lowest(lanes)];
    return (any & ((uint64_t)bytes - 1)) == 0;
}

bool traffic_legal(const struct traffic_request *request)
{
    return legal_bytes(request->bytes) && aligned(request->address, request->lanes, request->bytes);
}

static bool is_shared(const struct traffic_request *request)
{
    return request->kind == TRAFFIC_SHARED_LOAD || request->kind == TRAFFIC_SHARED_STORE;
}

/* ---- shared memory: which lanes are served together --------------------------------------- */

/* Does each of the lanes read what the lane does whose number differs in the bit `step`, where both
 * take part? */
static bool pairs_share(const struct traffic_request *request, uint32_t lanes, int step)
{
    for (uint32_t left = lanes; left; left &= left - 1) {
        int lane = lowest(left), partner = lane ^ step;
        if (partner > lane && lanes >> partner & 1 &&
            request->address[lane] != request->address[partner])
            return false;
    }
    return true;
}

static bool neighbours_share(const struct traffic_request *request, uint32_t lanes)
{
    return pairs_share(request, lanes, 1) || pairs_share(request, lanes, 2);
}

static int words_of(const struct traffic_request *request)
{
    return ceil_div(request->bytes, TRAFFIC_BANK_BYTES);
}

/* Does no bank have to serve two words to these lanes together? */
static bool free_of_conflicts(const struct traffic_request *request, uint32_t lanes)
{
    int words = words_of(request);
    uint64_t served[TRAFFIC_BANKS];
    uint32_t used = 0;

    for (; lanes; lanes &= lanes - 1)
        for (int i = 0; i < words; ++i) {
            uint64_t word = request->address[lowest(lanes)] / TRAFFIC_BANK_BYTES + (unsigned)i;
            uint32_t bank = UINT32_C(1) << word % TRAFFIC_BANKS;
            if (used & bank && served[word % TRAFFIC_BANKS] != word)
                return false;
            used |= bank;
            served[word % TRAFFIC_BANKS] = word;
        }
    return true;
}

/* Wavefronts of lanes that are served together: the most different words that any bank has to
 * serve. */
static int group_wavefronts(const struct traffic_request *request, uint32_t lanes)
{
    int words = words_of(request), most = 0;
    uint8_t load[TRAFFIC_BANKS] = {0};
    struct set set;

    if (free_of_conflicts(request, lanes))
        return lanes != 0;
    memset(set.used, 0, sizeof set.used);
    for (; lanes; lanes &= lanes - 1)
        for (int i = 0; i < words; ++i) {
            uint64_t word = request->address[lowest(lanes)] / TRAFFIC_BANK_BYTES + (unsigned)i;
            if (add(&set, word) && ++load[word % TRAFFIC_BANKS] > most)
                most = load[word % TRAFFIC_BANKS];
        }
    return most;
}

static uint32_t first_lanes(int count)
{
    return count == TRAFFIC_LANES ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

/* How many lanes are served together, unless a load joins them. */
static int group_lanes(int bytes)
{
    return bytes <= 4 ? TRAFFIC_LANES : bytes == 8 ? HALF : QUARTER;
}

static bool one_element(const struct traffic_request *request)
{
    for (uint32_t left = request->lanes; left; left &= left - 1)
        if (request->address[lowest(left)] != request->address[lowest(request->lanes)])
            return false;
    return true;
}

/*
 * Does a load serve two halves of the warp (with 16 bytes a lane: the two quarters of a half) in one
 * wavefront? `lanes` are those that take part in them.
 *
 * For the lower half of a 16-byte load what matters is odd, yet it is what was counted: whether lane
 * 31 takes part, and if so whether all lanes do.
 */
static bool joined(const struct traffic_request *request, uint32_t lanes)
{
    bool must_share = true;

    if (request->kind != TRAFFIC_SHARED_LOAD)
        return false;
    if (request->bytes == 16 && lanes <= first_lanes(HALF)) {
        must_share = request->lanes >> 31;
        if (must_share && request->lanes != UINT32_MAX)
            return false;
    }
    return (!must_share || neighbours_share(request, lanes)) && free_of_conflicts(request, lanes);
}

/*
 * The sets of lanes that are served one after the other. All lanes at once with up to 4 bytes a lane,
 * halves of the warp with 8, quarters with 16; a load may join two of them. A 16-byte load of one
 * element serves 16 lanes at a time.
 */
static int lane_groups(const struct traffic_request *request, uint32_t group[MAX_GROUPS])
{
    uint32_t lanes = request->lanes;
    int size = group_lanes(request->bytes), count = 0;

    if (request->bytes <= 4) {
        group[0] = lanes;
        return lanes != 0;
    }
    if (request->kind == TRAFFIC_SHARED_LOAD && request->bytes == 16 && one_element(request)) {
        if (popcount(lanes) <= HALF) {
            group[0] = lanes;
            return lanes != 0;
        }
        group[0] = lanes & first_lanes(HALF);
        group[1] = lanes & ~first_lanes(HALF);
        return 2;
    }
    for (int first = 0; first < TRAFFIC_LANES; first += 2 * size) {
        uint32_t low = lanes & first_lanes(size) << first;
        uint32_t high = lanes & first_lanes(size) << (first + size);
        if (low && high && joined(request, low | high)) {
            group[count++] = low | high;
            continue;
        }
        if (low)
            group[count++] = low;
        if (high)
            group[count++] = high;
    }
    return count;
}

/* ---- the cost of a request ---------------------------------------------------------------- */

/* The distinct bytes of the lanes' elements. */
static int touched(const uint64_t *address, uint32_t lanes, int bytes)
{
    return distinct(address, lanes, lowest((uint32_t)bytes)) * bytes;
}

static int ideal(const struct traffic_request *request)
{
    int lanes = popcount(request->lanes), bytes = request->bytes;
    int distinct_bytes = touched(request->address, request->lanes, bytes);
    int line = TRAFFIC_BANKS * TRAFFIC_BANK_BYTES;

    if (!is_shared(request))
        return ceil_div(distinct_bytes, TRAFFIC_SECTOR_BYTES);
    if (request->kind == TRAFFIC_SHARED_STORE)
        return ceil_div(lanes * bytes, line);
    return larger(ceil_div(distinct_bytes, line), bytes == 16 && lanes > 16 ? 2 : 1);
}

struct traffic_cost traffic_cost(const struct traffic_request *request)
{
    struct traffic_cost cost = {0, 0};
    uint32_t group[MAX_GROUPS];

    if (!request->lanes || !traffic_legal(request))
        return cost;
    cost.ideal = ideal(request);
    if (!is_shared(request)) {
        cost.work = distinct(request->address, request->lanes, 5);
        return cost;
    }
    for (int count = lane_groups(request, group), i = 0; i < count; ++i)
        cost.work += group_wavefronts(request, group[i]);
    return cost;
}

/* ---- the same in detail ------------------------------------------------------------------- */

int traffic_sectors(const struct traffic_request *request,
                    struct traffic_sector sector[TRAFFIC_MAX_WAVEFRONTS])
{
    int count = 0;

    if (is_shared(request) || !traffic_legal(request))
        return 0;
    for (uint32_t left = request->lanes; left; left &= left - 1) {
        int lane = lowest(left), i = 0;
        uint64_t number = request->address[lane] / TRAFFIC_SECTOR_BYTES;
        while (i < count && sector[i].number != number)
            ++i;
        if (i == count)
            sector[count++] = (struct traffic_sector){number, 0};
        sector[i].lanes |= UINT32_C(1) << lane;
    }
    return count;
}

/* Adds the word of a lane to its bank, in the first wavefront from `first` on in which the bank
 * serves that word, or is idle. Returns the number of wavefronts. */
static int serve(struct traffic_wavefront *wavefront, int first, int count, int group,
                 uint32_t in_group, uint64_t word, int lane)
{
    int bank = (int)(word % TRAFFIC_BANKS), i = first;

    while (i < count && wavefront[i].lanes[bank] && wavefront[i].word[bank] != word)
        ++i;
    if (i == count) {
        memset(&wavefront[count], 0, sizeof wavefront[count]);
        wavefront[count].group = group;
        wavefront[count++].in_group = in_group;
    }
    wavefront[i].word[bank] = word;
    wavefront[i].lanes[bank] |= UINT32_C(1) << lane;
    return count;
}

int traffic_wavefronts(const struct traffic_request *request,
                       struct traffic_wavefront wavefront[TRAFFIC_MAX_WAVEFRONTS])
{
    uint32_t group[MAX_GROUPS];
    int count = 0, groups;

    if (!is_shared(request) || !traffic_legal(request))
        return 0;
    groups = lane_groups(request, group);
    for (int i = 0; i < groups; ++i) {
        int first = count;
        for (uint32_t left = group[i]; left; left &= left - 1) {
            uint64_t word = request->address[lowest(left)] / TRAFFIC_BANK_BYTES;
            for (int w = 0; w < words_of(request); ++w)
                count =
                    serve(wavefront, first, count, i, group[i], word + (unsigned)w, lowest(left));
        }
    }
    return count;
}

/* ---- cp.async ----------------------------------------------------------------------------- */

static bool legal_copy(const struct traffic_copy *copy)
{
    return copy->bytes >= 4 && legal_bytes(copy->bytes) &&
           (copy->zeros || aligned(copy->from, copy->lanes, copy->bytes)) &&
           aligned(copy->to, copy->lanes, copy->bytes);
}

/*
 * Wavefronts of lanes whose copies of 4 or 8 bytes are served together. L1 and shared memory have the
 * same banks, and a wavefront reads and writes one word in each. Lanes queue before each bank in the
 * order of their numbers, and one is served when it is the first in the queue of its source and in that of
 * its destination. Lanes with the same source and destination are one.
 */
static int pair_wavefronts(const struct traffic_copy *copy, uint32_t lanes)
{
    unsigned banks = (unsigned)(TRAFFIC_BANKS * TRAFFIC_BANK_BYTES / copy->bytes); /* of elements */
    uint8_t reads[TRAFFIC_BANKS] = {0}, writes[TRAFFIC_BANKS] = {0}; /* until when they are busy */
    int most = 0;

    for (uint32_t left = lanes; left; left &= left - 1) {
        int lane = lowest(left);
        uint64_t from = copy->from[lane], to = copy->to[lane];
        uint32_t before = lanes & first_lanes(lane);
        uint8_t *read = &reads[from / (unsigned)copy->bytes % banks],
                *write = &writes[to / (unsigned)copy->bytes % banks];
        while (before && (copy->from[lowest(before)] != from || copy->to[lowest(before)] != to))
            before &= before - 1;
        if (before)
            continue;
        *read = *write = (uint8_t)(1 + larger(*read, *write));
        most = larger(most, *read);
    }
    return most;
}

/* What copies of 16 bytes move from a sector to a 32-byte row of shared memory in one way: which
 * halves of the sector, and in which bits (4 and 5) the addresses of source and destination differ. */
struct piece {
    uint64_t sector, row; /* addresses / 32 */
    unsigned differ, halves;
    bool served;
};

static int pieces_of(const struct traffic_copy *copy, struct piece piece[TRAFFIC_LANES])
{
    int count = 0;

    for (uint32_t left = copy->lanes; left; left &= left - 1) {
        uint64_t from = copy->from[lowest(left)], to = copy->to[lowest(left)];
        struct piece this = {from / TRAFFIC_SECTOR_BYTES, to / TRAFFIC_SECTOR_BYTES,
                             (unsigned)((from ^ to) / 16 % 4), 1u << from / 16 % 2, false};
        int i = 0;
        while (i < count && (piece[i].sector != this.sector || piece[i].row != this.row ||
                             piece[i].differ != this.differ))
            ++i;
        if (i == count)
            piece[count++] = this;
        piece[i].halves |= this.halves;
    }
    return count;
}

static bool alike(const struct piece *a, const struct piece *b)
{
    return a->sector / 4 == b->sector / 4 && a->row / 4 == b->row / 4 && a->differ == b->differ &&
           a->halves == b->halves;
}

/* A wavefront moves pieces that are alike, from one 128-byte line to another, and in it one from each
 * sector and one to each row. */
static int piece_wavefronts(struct piece *piece, int count)
{
    int wavefronts = 0;

    for (int i = 0; i < count; ++i) {
        int read[4] = {0}, written[4] = {0}, most = 0;
        if (piece[i].served)
            continue;
        for (int j = i; j < count; ++j)
            if (alike(&piece[j], &piece[i])) {
                piece[j].served = true;
                most = larger(most, ++read[piece[j].sector % 4]);
                most = larger(most, ++written[piece[j].row % 4]);
            }
        wavefronts += most;
    }
    return wavefronts;
}

/* The cost of a copy of 16 bytes a lane, which bypasses L1. */
static struct traffic_copy_cost bypass_cost(const struct traffic_copy *copy)
{
    struct piece piece[TRAFFIC_LANES];
    int count = pieces_of(copy, piece), pairs = 0;
    struct traffic_copy_cost cost;

    for (int i = 0; i < count; ++i)
        pairs += popcount(piece[i].halves);
    cost.global.work = count;
    cost.global.ideal = ceil_div(pairs, 2);
    cost.shared.work = piece_wavefronts(piece, count);
    /* Whole sectors, four in a wavefront; if a half is left over, up to three in one of its own. */
    cost.shared.ideal = pairs % 2 ? 1 + ceil_div(larger(pairs - 3, 0), 8) : ceil_div(pairs, 8);
    return cost;
}

struct traffic_copy_cost traffic_copy_cost(const struct traffic_copy *copy)
{
    struct traffic_copy_cost cost = {{0, 0}, {0, 0}};
    int size = group_lanes(copy->bytes);

    if (!copy->lanes || !legal_copy(copy))
        return cost;
    if (copy->zeros) {
        struct traffic_request store = {TRAFFIC_SHARED_STORE, copy->bytes, copy->lanes, {0}};
        memcpy(store.address, copy->to, sizeof store.address);
        cost.shared = traffic_cost(&store);
        return cost;
    }
    if (copy->bytes == 16 && !copy->through_l1)
        return bypass_cost(copy);
    cost.global.work = distinct(copy->from, copy->lanes, 5);
    cost.global.ideal =
        ceil_div(touched(copy->from, copy->lanes, copy->bytes), TRAFFIC_SECTOR_BYTES);
    for (int first = 0; first < TRAFFIC_LANES; first += size)
        cost.shared.work += pair_wavefronts(copy, copy->lanes & first_lanes(size) << first);
    cost.shared.ideal = ceil_div(popcount(copy->lanes), size);
    return cost;
}
