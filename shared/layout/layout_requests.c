/* Implements the commands about requests: banks, sectors, requests and search. */
#include "layout_commands.h"
#include "layout_banks.h"

#include <string.h>

/* Reads the accesses of the command line (by default row and column); with `check`, checks them
 * against the tile. Returns the number of accesses, or 0 after printing an error. */
static int accesses(const struct layout *tile, const char *tile_text, const struct options *options,
                    struct bank_access *access, const char **name, bool check)
{
    static const char *const both[] = {"row", "column"};
    int count = options->accesses ? options->accesses : 2;

    for (int i = 0; i < count; ++i) {
        struct layout_error error;
        int requests;
        name[i] = options->accesses ? options->access[i] : both[i];
        memset(&access[i], 0, sizeof access[i]);
        access[i].bytes = options->bytes;
        access[i].vector = options->vector;
        access[i].store = options->store;
        access[i].global = options->global;
        access[i].order = strcmp(name[i], "row") == 0      ? BANK_ROW
                          : strcmp(name[i], "column") == 0 ? BANK_COLUMN
                                                           : BANK_THREADS;
        if (access[i].order == BANK_THREADS && !parse_layout(name[i], &access[i].threads))
            return 0;
        if (!bank_requests(tile, &access[i], &requests, &error) &&
            (check || error.operand != 0 || layout_size(tile) > BANK_MAX_ELEMENTS)) {
            char *operands[2];
            operands[0] = (char *)tile_text;
            operands[1] = (char *)name[i];
            layout_refused(&error, operands, 2);
            return 0;
        }
    }
    return count;
}

/* Prints the lanes of a mask, such as 0+4+8. */
static void print_lanes(uint32_t mask)
{
    const char *between = " ";

    for (int lane = 0; lane < BANK_LANES; ++lane)
        if (mask >> lane & 1) {
            printf("%s%d", between, lane);
            between = "+";
        }
}

/* Prints the beginning of a line about requests first to last. */
static void print_range(int first, int last)
{
    if (first == last)
        printf("  request %d:", last);
    else
        printf("  requests %d to %d, each:", first, last);
}

static bool same_request(const struct bank_request *a, const struct bank_request *b)
{
    return a->lanes == b->lanes && a->wavefronts == b->wavefronts && a->ideal == b->ideal &&
           a->sets == b->sets && memcmp(a->set, b->set, sizeof a->set[0] * (size_t)a->sets) == 0;
}

/* Prints a line of totals, and a line per range of consecutive requests with equal conflicts. */
static void print_access(const struct layout *tile, const struct bank_access *access,
                         const char *name)
{
    struct bank_request run, next;
    int64_t wavefronts = 0, ideal = 0;
    int requests = 0, conflicts = 0;

    bank_requests(tile, access, &requests, NULL);
    for (int i = 0; i < requests; ++i) {
        bank_request(tile, access, i, &next);
        wavefronts += next.wavefronts;
        ideal += next.ideal;
        conflicts += next.degree > 1;
    }
    printf(
        "access %s, %d bytes per lane%s: requests %d, wavefronts %lld, ideal %lld, with conflicts "
        "%d\n",
        name, access->bytes * access->vector, access->store ? ", stores" : "", requests,
        (long long)wavefronts, (long long)ideal, conflicts);
    for (int i = 0, first = 0; i < requests; ++i) {
        bank_request(tile, access, i, &run);
        if (i + 1 < requests) {
            bank_request(tile, access, i + 1, &next);
            if (same_request(&run, &next))
                continue;
        }
        print_range(first, i);
        printf(" %d wavefront%s", run.wavefronts, run.wavefronts == 1 ? "" : "s");
        if (run.sets)
            printf(", %d-way; lanes that collide:", run.degree);
        else if (run.wavefronts > run.ideal)
            printf(" where %d would do, no conflict", run.ideal);
        else
            printf(", no conflict");
        for (int set = 0; set < run.sets; ++set)
            print_lanes(run.set[set]);
        putchar('\n');
        first = i + 1;
    }
}

int command_banks(int argc, char **argv, const struct options *options)
{
    struct layout tile;
    struct bank_access access[MAX_ACCESSES];
    const char *name[MAX_ACCESSES];
    struct grid grid = {&tile, GRID_BANK, options->bytes, 1};
    int count, status;

    (void)argc;
    if (!parse_layout(argv[0], &tile))
        return 2;
    count = accesses(&tile, argv[0], options, access, name, true);
    if (count == 0)
        return 2;
    status = draw_grid(&grid, options, argv[0]);
    if (status || options->tsv)
        return status;
    for (int i = 0; i < count; ++i)
        print_access(&tile, &access[i], name[i]);
    return print_result(&tile);
}

/* ---- global memory ----------------------------------------------------------------------- */

static void print_sectors(const struct layout *tile, const struct bank_access *access,
                          const char *name)
{
    struct traffic_request asked;
    struct traffic_cost run, next = {0, 0};
    int64_t sectors = 0, ideal = 0;
    int requests = 0;

    bank_requests(tile, access, &requests, NULL);
    for (int i = 0; i < requests; ++i) {
        bank_traffic(tile, access, i, &asked);
        run = traffic_cost(&asked);
        sectors += run.work;
        ideal += run.ideal;
    }
    printf("access %s, %d bytes per lane: requests %d, sectors %lld, ideal %lld\n", name,
           access->bytes * access->vector, requests, (long long)sectors, (long long)ideal);
    for (int i = 0, first = 0; i < requests; ++i) {
        bank_traffic(tile, access, i, &asked);
        run = traffic_cost(&asked);
        if (i + 1 < requests) {
            bank_traffic(tile, access, i + 1, &asked);
            next = traffic_cost(&asked);
            if (next.work == run.work && next.ideal == run.ideal)
                continue;
        }
        print_range(first, i);
        printf(" %d sector%s", run.work, run.work == 1 ? "" : "s");
        if (run.work > run.ideal)
            printf(" where %d would do", run.ideal);
        putchar('\n');
        first = i + 1;
    }
}

int command_sectors(int argc, char **argv, const struct options *options)
{
    struct layout tile;
    struct bank_access access[MAX_ACCESSES];
    const char *name[MAX_ACCESSES];
    struct options in_global = *options;
    int count;

    (void)argc;
    in_global.global = true;
    if (!parse_layout(argv[0], &tile))
        return 2;
    count = accesses(&tile, argv[0], &in_global, access, name, true);
    if (count == 0)
        return 2;
    for (int i = 0; i < count; ++i)
        print_sectors(&tile, &access[i], name[i]);
    return print_result(&tile);
}

/* ---- requests, lane by lane -------------------------------------------------------------- */

/* Returns the number of the first wavefront in which `bank` serves `word` to `lane`. */
static int wavefront_of(const struct traffic_wavefront *wavefront, int count, int lane, int bank,
                        uint64_t word)
{
    for (int i = 0; i < count; ++i)
        if (wavefront[i].lanes[bank] >> lane & 1 && wavefront[i].word[bank] == word)
            return i;
    return 0; /* not reached: a wavefront serves every word */
}

/* Prints the TSV lines of a request: one per lane and word in shared memory, one per lane in global
 * memory. */
static void print_lanes_of(const struct layout *tile, const struct bank_access *access,
                           const char *name, int request)
{
    struct traffic_wavefront wavefront[TRAFFIC_MAX_WAVEFRONTS];
    struct traffic_request asked;
    int count, number;

    bank_traffic(tile, access, request, &asked);
    count = traffic_wavefronts(&asked, wavefront);
    for (int lane = 0; lane < BANK_LANES; ++lane) {
        int64_t at = bank_lane(tile, access, (int64_t)request * BANK_LANES + lane);
        unsigned long long first = asked.address[lane], end = first + (unsigned)asked.bytes;
        if (!(asked.lanes >> lane & 1))
            continue;
        for (unsigned long long byte = first; byte < end; byte = (byte / 4 + 1) * 4) {
            printf("%s\t%d\t%d\t%lld\t%lld\t%lld\t%llu", name, request, lane,
                   (long long)(at % tile_rows(tile)), (long long)(at / tile_rows(tile)),
                   (long long)layout_at(tile, at), byte);
            if (access->global) {
                printf("\t%llu\t%llu\n", byte / 128, byte / TRAFFIC_SECTOR_BYTES);
                break; /* an access lies within a sector */
            }
            number = wavefront_of(wavefront, count, lane, (int)(byte / 4 % BANK_LANES), byte / 4);
            printf("\t%d\t%d\t%d\t%llu\n", number, wavefront[number].group,
                   (int)(byte / 4 % BANK_LANES), byte / 4);
        }
    }
}

int command_requests(int argc, char **argv, const struct options *options)
{
    struct layout tile;
    struct bank_access access[MAX_ACCESSES];
    const char *name[MAX_ACCESSES];
    int count, requests[MAX_ACCESSES];

    (void)argc;
    if (!parse_layout(argv[0], &tile))
        return 2;
    count = accesses(&tile, argv[0], options, access, name, true);
    if (count == 0)
        return 2;
    for (int i = 0; i < count; ++i) {
        bank_requests(&tile, &access[i], &requests[i], NULL);
        if (options->request >= requests[i])
            return bad_input("the access has no request of this number", name[i], 0);
    }
    printf("access\trequest\tlane\trow\tcol\toffset\tbyte\t%s\n",
           options->global ? "line\tsector" : "wavefront\tgroup\tbank\tword");
    for (int i = 0; i < count; ++i)
        for (int request = 0; request < requests[i]; ++request)
            if (options->request < 0 || options->request == request)
                print_lanes_of(&tile, &access[i], name[i], request);
    return 0;
}

/* ---- the search -------------------------------------------------------------------------- */

int command_search(int argc, char **argv, const struct options *options)
{
    struct layout tile, result;
    struct bank_access access[MAX_ACCESSES];
    const char *name[MAX_ACCESSES];
    struct swizzle_score score, best = {{0, 0, 0}, false, false, 0};
    int count, tried = 0, legal = 0, free = 0;

    (void)argc;
    if (!parse_layout(argv[0], &tile))
        return 2;
    if (tile.swizzle.bits || tile.offset)
        return bad_input("the search takes a layout without a swizzle", argv[0], 0);
    if (layout_size(&tile) > 1 << 16)
        return bad_input("the tile is too large to search: 65536 elements at most", argv[0], 0);
    count = accesses(&tile, argv[0], options, access, name, false);
    if (count == 0)
        return 2;
    for (; swizzle_candidate(&tile, access, count, tried, &score); ++tried) {
        if (!score.legal)
            continue;
        ++legal;
        if (score.free) {
            ++free;
            printf("Sw<%d,%d,%d>\n", score.swizzle.bits, score.swizzle.base, score.swizzle.shift);
        }
        if (!best.legal || (score.free && !best.free) ||
            (score.free == best.free && score.wavefronts < best.wavefronts))
            best = score;
    }
    printf(
        "free of conflicts: %d of %d swizzles (%d more would leave the tile or break a vector)\n",
        free, legal, tried - legal);
    if (!best.legal)
        return bad_input("no swizzle keeps the vectors of this access whole", argv[0], 0);
    if (free == 0)
        printf("none: all of up to 5 bits were tried; the best takes %lld wavefronts in all:\n",
               (long long)best.wavefronts);
    layout_swizzle(best.swizzle, &tile, &result, NULL);
    return print_result(&result);
}
