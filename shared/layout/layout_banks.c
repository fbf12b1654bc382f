/* Lists the requests of an access to a tile, and scores swizzles for a search. */
#include "layout_banks.h"
#include "layout_internal.h"

int64_t tile_rows(const struct layout *tile)
{
    int64_t rows = 1;

    if (tile->shape.rank[0] < 2)
        return 1;
    for (int node = 1, end = layout_skip(&tile->shape, 1); node < end; ++node)
        if (!tile->shape.rank[node])
            rows *= tile->shape.value[node];
    return rows;
}

int64_t tile_columns(const struct layout *tile) { return layout_size(tile) / tile_rows(tile); }

static bool is_power_of_two(int value) { return value > 0 && (value & (value - 1)) == 0; }

/* Returns the step of the 1-D coordinate from one element of a vector to the next. Vectors lie along
 * the rows if neighbours in a row are adjacent in memory, else down the columns. */
static int64_t vector_step(const struct layout *tile)
{
    int64_t rows = tile_rows(tile), columns = tile_columns(tile);

    return columns > 1 && layout_at(tile, rows) == layout_at(tile, 0) + 1 ? rows : 1;
}

/* Returns the number of lanes of all requests. */
static int64_t lane_count(const struct layout *tile, const struct bank_access *access)
{
    if (access->order == BANK_THREADS)
        return layout_size(&access->threads);
    return layout_size(tile) / access->vector;
}

int64_t bank_lane(const struct layout *tile, const struct bank_access *access, int64_t lane)
{
    int64_t rows = tile_rows(tile), columns = tile_columns(tile);
    bool along_row = vector_step(tile) == rows;
    int64_t high = along_row ? 1 : access->vector, wide = along_row ? access->vector : 1;

    if (access->order == BANK_THREADS)
        return layout_at(&access->threads, lane);
    if (access->order == BANK_ROW)
        return lane / (columns / wide) * high + lane % (columns / wide) * wide * rows;
    return lane % (rows / high) * high + lane / (rows / high) * wide * rows;
}

/* True if the lane's vector lies in the tile, adjacent and aligned in memory. */
static bool check_vector(const struct layout *tile, const struct bank_access *access, int64_t lane,
                         struct layout_error *error)
{
    int64_t step = vector_step(tile), first = bank_lane(tile, access, lane);
    int64_t offset;

    if (first < 0 || first + (access->vector - 1) * step >= layout_size(tile))
        return layout_fail(error, 1, 0, "lane %lld points at coordinate %lld, outside the tile",
                           (long long)lane, (long long)first);
    offset = layout_at(tile, first);
    for (int i = 1; i < access->vector; ++i)
        if (layout_at(tile, first + i * step) != offset + i)
            return layout_fail(error, 0, 0,
                               "the %d elements of lane %lld are not adjacent in memory",
                               access->vector, (long long)lane);
    if (offset % access->vector != 0)
        return layout_fail(error, 0, 0, "the %d elements of lane %lld are not aligned to %d bytes",
                           access->vector, (long long)lane, access->vector * access->bytes);
    return true;
}

bool bank_requests(const struct layout *tile, const struct bank_access *access, int *requests,
                   struct layout_error *error)
{
    int64_t lanes;

    if (!is_power_of_two(access->bytes) || !is_power_of_two(access->vector) || access->bytes > 16 ||
        access->vector > 16 || access->bytes * access->vector > 16)
        return layout_fail(error, -1, -1,
                           "bytes and vector must be powers of two and bytes * vector at most 16");
    if (layout_size(tile) > BANK_MAX_ELEMENTS || layout_cosize(tile) >= INT64_C(1) << 40)
        return layout_fail(error, 0, 0, "the tile is too large: %d elements at most",
                           BANK_MAX_ELEMENTS);
    if (access->order != BANK_THREADS &&
        (vector_step(tile) == 1 && tile_rows(tile) > 1 ? tile_rows(tile) : tile_columns(tile)) %
                access->vector !=
            0)
        return layout_fail(error, 0, 0, "the tile does not divide into vectors of %d elements",
                           access->vector);
    lanes = lane_count(tile, access);
    if (lanes > BANK_MAX_ELEMENTS)
        return layout_fail(error, 1, 0, "too many lanes: %d at most", BANK_MAX_ELEMENTS);
    for (int64_t lane = 0; lane < lanes; ++lane)
        if (!check_vector(tile, access, lane, error))
            return false;
    *requests = (int)layout_ceil_div(lanes, BANK_LANES);
    return true;
}

/* Returns the lowest bit of a mask. */
static uint32_t lowest(uint32_t mask) { return mask & (~mask + 1); }

/* Adds to *result the set of lanes that bank `bank` serves in the `count` wavefronts of one group
 * (lanes that are served together), if these lanes access more than one word. */
static void note_bank(const struct traffic_wavefront *wavefront, int count, int bank,
                      struct bank_request *result)
{
    uint32_t mask = 0;
    int words = 0, known = 0;

    for (int i = 0; i < count; ++i) {
        mask |= wavefront[i].lanes[bank];
        words += wavefront[i].lanes[bank] != 0;
    }
    if (words > result->degree)
        result->degree = words;
    if (words < 2)
        return;
    while (known < result->sets && result->set[known] != mask)
        ++known;
    if (known == result->sets)
        result->set[result->sets++] = mask;
}

/* Returns the number of active lanes of a request. */
static int bank_active(const struct layout *tile, const struct bank_access *access, int request)
{
    int64_t left = lane_count(tile, access) - (int64_t)request * BANK_LANES;

    return left < BANK_LANES ? (int)left : BANK_LANES;
}

void bank_traffic(const struct layout *tile, const struct bank_access *access, int request,
                  struct traffic_request *asked)
{
    int lanes = bank_active(tile, access, request);

    if (access->global)
        asked->kind = access->store ? TRAFFIC_GLOBAL_STORE : TRAFFIC_GLOBAL_LOAD;
    else
        asked->kind = access->store ? TRAFFIC_SHARED_STORE : TRAFFIC_SHARED_LOAD;
    asked->bytes = access->bytes * access->vector;
    asked->lanes = UINT32_MAX >> (BANK_LANES - lanes);
    for (int lane = 0; lane < lanes; ++lane)
        asked->address[lane] =
            (uint64_t)layout_at(tile,
                                bank_lane(tile, access, (int64_t)request * BANK_LANES + lane)) *
            (unsigned)access->bytes;
}

void bank_request(const struct layout *tile, const struct bank_access *access, int request,
                  struct bank_request *result)
{
    struct traffic_wavefront wavefront[TRAFFIC_MAX_WAVEFRONTS];
    struct traffic_request asked;

    bank_traffic(tile, access, request, &asked);
    result->lanes = bank_active(tile, access, request);
    result->ideal = traffic_cost(&asked).ideal;
    result->wavefronts = traffic_wavefronts(&asked, wavefront);
    result->sets = 0;
    result->degree = 1;
    for (int first = 0, end; first < result->wavefronts; first = end) {
        for (end = first;
             end < result->wavefronts && wavefront[end].group == wavefront[first].group;)
            ++end;
        for (int bank = 0; bank < BANK_LANES; ++bank)
            note_bank(wavefront + first, end - first, bank, result);
    }
    /* Sort by lowest lane, so that requests with the same conflicts compare equal. */
    for (int i = 1; i < result->sets; ++i)
        for (int j = i; j > 0 && lowest(result->set[j]) < lowest(result->set[j - 1]); --j) {
            uint32_t mask = result->set[j];
            result->set[j] = result->set[j - 1];
            result->set[j - 1] = mask;
        }
}

/* ---- search ------------------------------------------------------------------------------ */

/* True if all offsets are below `cosize`. */
static bool stays_inside(const struct layout *tile, int64_t cosize)
{
    for (int64_t i = 0; i < layout_size(tile); ++i)
        if (layout_at(tile, i) >= cosize)
            return false;
    return true;
}

/* Sets *swizzle to the candidate with this number, for offsets of `width` bits; false if there is
 * none. */
static bool enumerate(int width, int number, struct swizzle *swizzle)
{
    if (number-- == 0) {
        *swizzle = (struct swizzle){0, 0, 0};
        return true;
    }
    for (int bits = 1; bits <= 5; ++bits)
        for (int base = 0; base <= 7; ++base)
            for (int distance = bits; base + distance + bits <= width; ++distance)
                for (int sign = 1; sign >= -1; sign -= 2)
                    if (number-- == 0) {
                        *swizzle = (struct swizzle){bits, base, sign * distance};
                        return true;
                    }
    return false;
}

bool swizzle_candidate(const struct layout *tile, const struct bank_access *accesses, int count,
                       int number, struct swizzle_score *score)
{
    struct swizzle_score scored = {{0, 0, 0}, false, true, 0};
    struct layout swizzled;
    int width = 0;

    while (width < 40 && INT64_C(1) << width < layout_cosize(tile))
        ++width;
    if (!enumerate(width, number, &scored.swizzle))
        return false;
    scored.legal = layout_swizzle(scored.swizzle, tile, &swizzled, NULL) &&
                   stays_inside(&swizzled, layout_cosize(tile));
    for (int i = 0; scored.legal && i < count; ++i) {
        int requests;
        scored.legal = bank_requests(&swizzled, &accesses[i], &requests, NULL);
        for (int request = 0; scored.legal && request < requests; ++request) {
            struct bank_request one;
            bank_request(&swizzled, &accesses[i], request, &one);
            scored.wavefronts += one.wavefronts;
            scored.free = scored.free && one.degree == 1;
        }
    }
    scored.free = scored.free && scored.legal;
    *score = scored;
    return true;
}
