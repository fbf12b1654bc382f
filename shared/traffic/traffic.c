/* Computes the cost of a request. README.md describes the rules. */
#include "traffic.h"

#include <string.h>

enum { MAX_GROUPS = 4, HALF = 16, QUARTER = 8 };

static int popcount(uint32_t mask) { return __builtin_popcount(mask); }

/* Returns the lowest lane of a mask that is not empty. */
static int lowest(uint32_t mask) { return __builtin_ctz(mask); }

static int ceil_div(int a, int b) { return (a + b - 1) / b; }

static int larger(int a, int b) { return a > b ? a : b; }

/* ---- sets of numbers ---------------------------------------------------------------------- */

enum { SET_CAPACITY = 256 }; /* twice the words of a request */

struct set {
    uint64_t item[SET_CAPACITY];
    uint8_t used[SET_CAPACITY];
};

/* Adds a number to the set; false if the set has it already. */
static bool add(struct set *set, uint64_t item)
{
    unsigned place = (unsigned)(item * UINT64_C(0x9e3779b97f4a7c15) >> 56);

    while (set->used[place]) {
        if (set->item[place] == item)
            return false;
        place = (place + 1) % SET_CAPACITY;
    }
    set->used[place] = 1;
    set->item[place] = item;
    return true;
}

/* Returns the number of different values of address >> shift among the lanes. */
static int distinct(const uint64_t *address, uint32_t lanes, int shift)
{
    struct set set;
    uint64_t last = 0;
    uint32_t left = lanes;
    int count = 0;

    /* While values rise from lane to lane, no set is needed. */
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

/* True if every active pair of lanes (i, i ^ step) reads one address. */
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

/* True if neighbouring lanes share elements, as README.md defines it. */
static bool neighbours_share(const struct traffic_request *request, uint32_t lanes)
{
    return pairs_share(request, lanes, 1) || pairs_share(request, lanes, 2);
}

/* Returns the number of 4-byte words per lane, at least 1. */
static int words_of(const struct traffic_request *request)
{
    return ceil_div(request->bytes, TRAFFIC_BANK_BYTES);
}

/* True if no bank serves two words to these lanes. */
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

/* Returns the wavefronts of lanes that are served together: the most distinct words in one bank. */
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

/* Returns the mask of lanes 0 to count - 1. */
static uint32_t first_lanes(int count)
{
    return count == TRAFFIC_LANES ? UINT32_MAX : (UINT32_C(1) << count) - 1;
}

/* Returns how many lanes the hardware serves together, unless a load joins two groups. */
static int group_lanes(int bytes)
{
    return bytes <= 4 ? TRAFFIC_LANES : bytes == 8 ? HALF : QUARTER;
}

/* True if all active lanes access one element. */
static bool one_element(const struct traffic_request *request)
{
    for (uint32_t left = request->lanes; left; left &= left - 1)
        if (request->address[lowest(left)] != request->address[lowest(request->lanes)])
            return false;
    return true;
}

/*
 * True if a load serves two groups in one wavefront: the halves of the warp with 8 bytes per lane, the
 * quarters of one half with 16. `lanes` are the active lanes of both groups.
 *
 * For the lower half of a 16-byte load the counts depend on lane 31: if it is active, all lanes must
 * be, and neighbours must share.
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
 * Lists the groups of lanes, each served together and one group after the other, and returns their
 * number. A group is the whole warp with up to 4 bytes per lane, a half with 8, a quarter with 16. A
 * load can join two groups. A 16-byte load of one element serves 16 lanes at a time.
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

/* Returns the number of distinct bytes that the lanes access. */
static int touched(const uint64_t *address, uint32_t lanes, int bytes)
{
    return distinct(address, lanes, lowest((uint32_t)bytes)) * bytes;
}

/* Returns the ideal work of a load or store, by the table of README.md. */
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

struct traffic_cost traffic_packets(const struct traffic_request *request)
{
    struct traffic_cost cost = {0, 0};

    if (!request->lanes || !traffic_legal(request) || is_shared(request))
        return cost;
    cost.work = distinct(request->address, request->lanes, 7);
    cost.ideal =
        ceil_div(touched(request->address, request->lanes, request->bytes), TRAFFIC_PACKET_BYTES);
    return cost;
}

/* ---- sectors and wavefronts, lane by lane ------------------------------------------------- */

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

/* Puts a lane's word into the first wavefront, from number `first` on, in which the word's bank
 * serves that word or is idle; makes a new wavefront if there is none. Returns the number of
 * wavefronts. */
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
 * Returns the wavefronts of lanes whose copies are served together. L1 and shared memory have the same
 * banks, and a wavefront reads and writes one word per bank. Lanes queue at each bank in the order of
 * their numbers; a lane is served when it is first in the queue of its source bank and of its
 * destination bank. Lanes with the same source and destination count once.
 */
static int pair_wavefronts(const struct traffic_copy *copy, uint32_t lanes)
{
    unsigned banks = (unsigned)(TRAFFIC_BANKS * TRAFFIC_BANK_BYTES / copy->bytes); /* of elements */
    uint8_t reads[TRAFFIC_BANKS] = {0},
            writes[TRAFFIC_BANKS] = {0}; /* per bank, the last wavefront in which it was busy */
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

/* The part of a 16-byte copy that moves from one sector to one 32-byte row of shared memory.
 * `halves` is a mask of the sector's halves; `differ` has bits 4 and 5 of source address ^
 * destination address. */
struct piece {
    uint64_t sector, row; /* addresses / 32 */
    unsigned differ, halves;
    bool served;
};

/* Lists the pieces of a copy and returns their number. */
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

/* True if one wavefront could move both pieces. */
static bool alike(const struct piece *a, const struct piece *b)
{
    return a->sector / 4 == b->sector / 4 && a->row / 4 == b->row / 4 && a->differ == b->differ &&
           a->halves == b->halves;
}

/* Returns the wavefronts of these pieces. One wavefront moves pieces that are alike(), at most one
 * from each sector and one to each row. */
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

/* Returns the cost of a copy of 16 bytes per lane, which bypasses L1. */
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
    /* A wavefront moves four whole sectors. An odd half needs a wavefront, which moves up to two
     * more halves. */
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

uint64_t traffic_median(const uint32_t *blocks, uint32_t n)
{
    uint64_t all = 0, at_least = 0;
    for (uint32_t i = 1; i <= n; i++)
        all += blocks[i];
    while (n && 2 * (at_least += blocks[n]) < all + !all)
        n--;
    return n;
}
