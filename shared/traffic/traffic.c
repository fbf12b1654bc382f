/* What a warp's request costs. The rules are described in traffic.h and README.md. */
#include "traffic.h"

#include <string.h>

enum { MAX_GROUPS = 4, HALF = 16, QUARTER = 8 };

static int popcount(uint32_t mask)
{
    return __builtin_popcount(mask);
}

/* The lowest lane of a mask that is not empty. */
static int lowest(uint32_t mask)
{
    return __builtin_ctz(mask);
}

static int ceil_div(int a, int b)
{
    return (a + b - 1) / b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

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
    for (; lanes; lanes &= lanes - 1)
        if (address[lowest(lanes)] % (unsigned)bytes)
            return false;
    return true;
}

bool traffic_legal(const struct traffic_request *request)
{
    return legal_bytes(request->bytes) &&
           aligned(request->address, request->lanes, request->bytes);
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

/*
 * The sets of lanes that are served one after the other. All lanes at once with up to 4 bytes a lane,
 * halves of the warp with 8, quarters with 16. A load joins two neighbouring halves (quarters), if in
 * both of them all lanes that differ in bit 0 of their number read the same element, or all that
 * differ in bit 1 do. A 16-byte load joins the halves too if, besides, at most 16 lanes take part and
 * those that differ in bit 4 read the same element, of which there are some.
 */
static int lane_groups(const struct traffic_request *request, uint32_t group[MAX_GROUPS])
{
    uint32_t lanes = request->lanes;
    bool load = request->kind == TRAFFIC_SHARED_LOAD;
    int size = request->bytes == 8 ? HALF : QUARTER, count = 0;

    if (request->bytes <= 4) {
        group[0] = lanes;
        return lanes != 0;
    }
    if (load && request->bytes == 16 && popcount(lanes) <= 16 && (lanes & lanes >> 16) &&
        pairs_share(request, lanes, 16) && neighbours_share(request, lanes)) {
        group[0] = lanes;
        return 1;
    }
    for (int first = 0; first < TRAFFIC_LANES; first += 2 * size) {
        uint32_t low = lanes & ((UINT32_C(1) << size) - 1) << first;
        uint32_t high = lanes & ((UINT32_C(1) << size) - 1) << (first + size);
        if (load && low && high && neighbours_share(request, low | high)) {
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

/* Wavefronts of lanes that are served together: the most different words that any bank has to
 * serve. */
static int group_wavefronts(const struct traffic_request *request, uint32_t lanes)
{
    int words = ceil_div(request->bytes, TRAFFIC_BANK_BYTES), most = 0;
    uint8_t load[TRAFFIC_BANKS] = {0};
    struct set set;

    memset(set.used, 0, sizeof set.used);
    for (; lanes; lanes &= lanes - 1)
        for (int i = 0; i < words; ++i) {
            uint64_t word = request->address[lowest(lanes)] / TRAFFIC_BANK_BYTES + (unsigned)i;
            if (add(&set, word) && ++load[word % TRAFFIC_BANKS] > most)
                most = load[word % TRAFFIC_BANKS];
        }
    return most;
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
            for (int w = 0; w < ceil_div(request->bytes, TRAFFIC_BANK_BYTES); ++w)
                count = serve(wavefront, first, count, i, group[i], word + (unsigned)w,
                              lowest(left));
        }
    }
    return count;
}

/* ---- cp.async ----------------------------------------------------------------------------- */

static bool legal_copy(const struct traffic_copy *copy)
{
    return copy->bytes >= 4 && legal_bytes(copy->bytes) && !(copy->zeros & ~copy->lanes) &&
           aligned(copy->from, copy->lanes & ~copy->zeros, copy->bytes) &&
           aligned(copy->to, copy->lanes, copy->bytes);
}

/* How a piece lies in its sector and its row: bytes of the sector, and how far they move. */
struct lie {
    uint32_t bytes;
    int shift;
};

/*
 * Pieces, and the wavefronts that write them. A wavefront writes the pieces of one 128-byte line of
 * global memory that lie alike in their sectors and rows, if no two of them meet in a bank.
 */
static int copy_pieces(const struct traffic_copy *copy, struct traffic_piece *piece,
                       int *wavefronts)
{
    struct lie lie[TRAFFIC_LANES];
    int pieces = 0;

    for (uint32_t left = copy->lanes; left; left &= left - 1) {
        int lane = lowest(left), i = 0;
        uint64_t from = copy->from[lane], to = copy->to[lane];
        uint64_t sector = from / TRAFFIC_SECTOR_BYTES, row = to / TRAFFIC_SECTOR_BYTES;
        while (i < pieces && (piece[i].sector != sector || piece[i].row != row))
            ++i;
        if (i == pieces) {
            piece[pieces] = (struct traffic_piece){sector, row, 0, -1};
            lie[pieces].bytes = 0;
            lie[pieces++].shift =
                (int)(to % TRAFFIC_SECTOR_BYTES) - (int)(from % TRAFFIC_SECTOR_BYTES);
        }
        piece[i].lanes |= UINT32_C(1) << lane;
        lie[i].bytes |= ((UINT32_C(1) << copy->bytes) - 1) << from % TRAFFIC_SECTOR_BYTES;
    }
    *wavefronts = 0;
    for (int i = 0; i < pieces; ++i) {
        int met[4] = {0}, most = 0; /* rows 128 bytes apart meet in their banks */
        if (piece[i].wavefront >= 0)
            continue;
        for (int j = i; j < pieces; ++j)
            if (piece[j].wavefront < 0 && piece[j].sector / 4 == piece[i].sector / 4 &&
                lie[j].bytes == lie[i].bytes && lie[j].shift == lie[i].shift) {
                int turn = met[piece[j].row % 4]++;
                piece[j].wavefront = *wavefronts + turn;
                most = larger(most, turn + 1);
            }
        *wavefronts += most;
    }
    return pieces;
}

struct traffic_copy_cost traffic_copy_cost(const struct traffic_copy *copy)
{
    struct traffic_copy_cost cost = {{0, 0}, {0, 0}};
    struct traffic_piece piece[TRAFFIC_LANES];
    int most;

    if (!copy->lanes || !legal_copy(copy))
        return cost;
    if (copy->zeros) {
        /* Not a transfer of pieces: counted as what the lanes read and what they write. */
        struct traffic_request side = {TRAFFIC_GLOBAL_LOAD, copy->bytes,
                                       copy->lanes & ~copy->zeros, {0}};
        memcpy(side.address, copy->from, sizeof side.address);
        cost.global = traffic_cost(&side);
        side = (struct traffic_request){TRAFFIC_SHARED_STORE, copy->bytes, copy->lanes, {0}};
        memcpy(side.address, copy->to, sizeof side.address);
        cost.shared = traffic_cost(&side);
        return cost;
    }
    cost.global.work = copy_pieces(copy, piece, &cost.shared.work);
    most = larger(touched(copy->from, copy->lanes, copy->bytes),
                  touched(copy->to, copy->lanes, copy->bytes));
    cost.global.ideal = ceil_div(most, TRAFFIC_SECTOR_BYTES);
    cost.shared.ideal = ceil_div(most, TRAFFIC_BANKS * TRAFFIC_BANK_BYTES);
    return cost;
}

int traffic_pieces(const struct traffic_copy *copy, struct traffic_piece piece[TRAFFIC_LANES])
{
    int wavefronts;

    if (!copy->lanes || copy->zeros || !legal_copy(copy))
        return 0;
    return copy_pieces(copy, piece, &wavefronts);
}
