/*
 * shared/traffic against the hardware's counts and against itself.
 *
 *   test_traffic [COUNTING.tsv...]
 *
 * The files are what shared/profile/probes.sh recorded of shared/cpucc/tests/counting.cu; columns are
 * found by name. Rows of kernels other than probe<T> and the async ones are for shared/cpucc/tests.
 */
#include "check.h"
#include "traffic/traffic.h"
#include "traffic/tsv.h"

#include <stdlib.h>
#include <string.h>

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * UINT32_C(1664525) + UINT32_C(1013904223);
    return (uint32_t)((uint64_t)(random_state >> 4) * n >> 28);
}

static bool is_shared(enum traffic_kind kind)
{
    return kind == TRAFFIC_SHARED_LOAD || kind == TRAFFIC_SHARED_STORE;
}

/* ---- recorded counts ---------------------------------------------------------------------- */

enum { COUNTERS = 6 };

/* What one launch counts, by counter of the design. */
struct counts {
    long requests[COUNTERS], work[COUNTERS];
};
enum { GLOBAL_LOAD, GLOBAL_STORE, SHARED_LOAD, SHARED_STORE, ASYNC_GLOBAL, ASYNC_SHARED };
static const char *const counter_name[COUNTERS] = {"global_load",       "global_store",
                                                   "shared_load",       "shared_store",
                                                   "async_copy_global", "async_copy_shared"};

static void count(struct counts *counts, int counter, long requests, long work)
{
    counts->requests[counter] += requests;
    counts->work[counter] += work;
}

static void count_request(struct counts *counts, struct traffic_request *request,
                          enum traffic_kind kind, int counter)
{
    request->kind = kind;
    if (request->lanes)
        count(counts, counter, 1, traffic_cost(request).work);
}

static void count_copy(struct counts *counts, struct traffic_copy *copy, uint32_t lanes, bool zeros)
{
    struct traffic_copy_cost cost;

    copy->lanes = lanes;
    copy->zeros = zeros;
    cost = traffic_copy_cost(copy);
    count(counts, ASYNC_GLOBAL, lanes != 0, cost.global.work);
    count(counts, ASYNC_SHARED, lanes != 0, cost.shared.work);
}

/* The counts of a launch of probe<T>, async_*<SIZE> or bypass<ZEROS> of counting.cu; false for other
 * kernels. */
static bool model(const char *kernel, const char *lanes, struct counts *counts)
{
    static const struct {
        const char *kernel;
        int bytes, copy;
    } kernels[] = {{"probe<char>", 1, 0},    {"probe<short>", 2, 0},   {"probe<float>", 4, 0},
                   {"probe<float2>", 8, 0},  {"probe<float4>", 16, 0}, {"async_probe<4>", 4, 1},
                   {"async_probe<8>", 8, 1}, {"async_zeros<4>", 4, 1}, {"async_zeros<8>", 8, 1},
                   {"bypass<0>", 16, 1},     {"bypass<1>", 16, 1}};
    struct traffic_request request = {.lanes = 0};
    struct traffic_copy copy = {.lanes = 0};
    uint32_t reading = 0, zeros = 0;
    size_t k = 0;

    memset(counts, 0, sizeof *counts);
    while (k < sizeof kernels / sizeof kernels[0] && strcmp(kernel, kernels[k].kernel) != 0)
        ++k;
    if (k == sizeof kernels / sizeof kernels[0])
        return false;
    request.bytes = copy.bytes = kernels[k].bytes;
    for (int lane = 0; lane < 32; ++lane) {
        char *end;
        unsigned long from = 0;
        bool zero = *lanes == 'z';
        if (*lanes == '-') {
            lanes += 1 + (lanes[1] == ' ');
            continue;
        }
        if (zero)
            end = (char *)lanes + 1;
        else
            from = strtoul(lanes, &end, 10);
        if (end == lanes)
            return false;
        if (kernels[k].copy) {
            *(zero ? &zeros : &reading) |= UINT32_C(1) << lane;
            copy.from[lane] = from;
            copy.to[lane] = strtoul(end + 1, &end, 10);
        } else {
            request.lanes |= UINT32_C(1) << lane;
            request.address[lane] = from * (unsigned)request.bytes;
        }
        lanes = end + (*end == ' ');
    }
    if (kernels[k].copy) {
        count(counts, GLOBAL_LOAD, 1, 8);  /* the pattern */
        count(counts, GLOBAL_STORE, 1, 4); /* out[lane] */
        count_copy(counts, &copy, reading, false);
        count_copy(counts, &copy, zeros, true);
    } else {
        count(counts, GLOBAL_LOAD, 2, 4 + 1); /* the pattern, in[0] */
        count(counts, SHARED_STORE, 34, 34 * (request.bytes < 4 ? 1 : request.bytes / 4));
        count_request(counts, &request, TRAFFIC_GLOBAL_LOAD, GLOBAL_LOAD);
        count_request(counts, &request, TRAFFIC_SHARED_STORE, SHARED_STORE);
        count_request(counts, &request, TRAFFIC_SHARED_LOAD, SHARED_LOAD);
        count_request(counts, &request, TRAFFIC_GLOBAL_STORE, GLOBAL_STORE);
    }
    return true;
}

/* A row of a recorded file. Kernels with the same lanes share it: its cells hold a word per kernel. */
struct row {
    const char *file;
    char **name, **value;
    int names;
};

static const char *cell(const struct row *row, const char *column)
{
    int at = tsv_column(row->name, row->names, column);

    return at < 0 ? "" : row->value[at];
}

/* Word number `number` of a cell, from 0; false if there are fewer. */
static bool word_of(const char *text, int number, char word[64])
{
    for (; *text && number; --number) {
        text += strcspn(text, " ");
        text += strspn(text, " ");
    }
    snprintf(word, 64, "%.*s", (int)strcspn(text, " "), text);
    return *word != '\0';
}

/* Compares one recorded figure of kernel number `number` with the model's; returns 0 if the column is
 * missing or the figure is `nan`. */
static long compare(const struct row *row, int number, const char *counter, const char *what,
                    long expected)
{
    char kernel[64], figure[64], column[64];

    snprintf(column, sizeof column, "%s_%s", counter, what);
    if (!word_of(cell(row, column), number, figure) || strcmp(figure, "nan") == 0)
        return 0;
    word_of(cell(row, "kernel"), number, kernel);
    CHECK(atol(figure) == expected, "%s: %s, %s: %s: the library says %ld, the hardware %s\n  %s",
          row->file, kernel, cell(row, "pattern"), column, expected, figure, cell(row, "lanes"));
    return 1;
}

/* Compares a file of shared/profile/probes.sh. */
static void recorded(const char *file)
{
    static char header[4096], line[4096];
    char *name[TSV_FIELDS], *value[TSV_FIELDS], kernel[64];
    struct row row = {file, name, value, 0};
    long launches = 0, figures = 0;
    FILE *in = fopen(file, "r");

    CHECK(in, "%s cannot be read", file);
    while (in && fgets(row.names ? line : header, sizeof line, in)) {
        struct counts counts;
        if (!row.names) {
            row.names = header[0] == '#' ? 0 : tsv_split(header, name, TSV_FIELDS);
            continue;
        }
        if (tsv_split(line, value, TSV_FIELDS) != row.names) {
            CHECK(false, "%s: a row of another length", file);
            continue;
        }
        for (int n = 0; word_of(cell(&row, "kernel"), n, kernel); ++n) {
            if (!model(kernel, cell(&row, "lanes"), &counts))
                continue;
            ++launches;
            for (int c = 0; c < COUNTERS; ++c) {
                figures += compare(&row, n, counter_name[c], "requests", counts.requests[c]);
                figures += compare(&row, n, counter_name[c], "work", counts.work[c]);
            }
        }
    }
    if (in)
        fclose(in);
    CHECK(figures > 0, "%s: nothing to compare", file);
    printf("%s: %ld launches, %ld figures compared\n", file, launches, figures);
}

/* ---- cases worked out by hand ------------------------------------------------------------- */

static struct traffic_request request_of(enum traffic_kind kind, int bytes, uint32_t lanes,
                                         int divide, int stride)
{
    struct traffic_request request = {kind, bytes, lanes, {0}};

    for (int lane = 0; lane < 32; ++lane)
        request.address[lane] = (uint64_t)(lane / divide * stride * bytes);
    return request;
}

static void expect(enum traffic_kind kind, int bytes, uint32_t lanes, int divide, int stride,
                   int work, int ideal)
{
    struct traffic_request request = request_of(kind, bytes, lanes, divide, stride);
    struct traffic_cost cost = traffic_cost(&request);

    CHECK(cost.work == work && cost.ideal == ideal,
          "kind %d, %d bytes, lanes %08x, element lane / %d * %d: %d of %d, expected %d of %d",
          kind, bytes, (unsigned)lanes, divide, stride, cost.work, cost.ideal, work, ideal);
}

static void by_hand(void)
{
    const uint32_t all = UINT32_MAX;

    expect(TRAFFIC_GLOBAL_LOAD, 4, all, 1, 1, 4, 4);
    expect(TRAFFIC_GLOBAL_LOAD, 4, all, 1, 2, 8, 4);
    expect(TRAFFIC_GLOBAL_STORE, 16, all, 1, 1, 16, 16);
    expect(TRAFFIC_GLOBAL_STORE, 1, all, 1, 1, 1, 1);
    expect(TRAFFIC_GLOBAL_LOAD, 8, all, 32, 0, 1, 1);
    expect(TRAFFIC_SHARED_LOAD, 4, all, 1, 1, 1, 1);
    expect(TRAFFIC_SHARED_LOAD, 4, all, 1, 2, 2, 1);
    expect(TRAFFIC_SHARED_LOAD, 4, all, 1, 32, 32, 1);
    expect(TRAFFIC_SHARED_LOAD, 4, all, 32, 0, 1, 1);
    expect(TRAFFIC_SHARED_LOAD, 2, all, 1, 1, 1, 1);
    expect(TRAFFIC_SHARED_STORE, 2, all, 1, 2, 1, 1);
    expect(TRAFFIC_SHARED_STORE, 1, all, 1, 128, 32, 1);
    expect(TRAFFIC_SHARED_LOAD, 8, all, 1, 1, 2, 2);
    expect(TRAFFIC_SHARED_LOAD, 16, all, 1, 1, 4, 4);
    expect(TRAFFIC_SHARED_LOAD, 16, all, 1, 8, 32, 4);
    /* Pairs that share an element: one wavefront for 8 bytes, and for a store none the less two. */
    expect(TRAFFIC_SHARED_LOAD, 8, all, 2, 1, 1, 1);
    expect(TRAFFIC_SHARED_STORE, 8, all, 2, 1, 2, 2);
    expect(TRAFFIC_SHARED_LOAD, 16, all, 2, 1, 2, 2);
    /* Broadcasts. */
    expect(TRAFFIC_SHARED_LOAD, 8, all, 32, 0, 1, 1);
    expect(TRAFFIC_SHARED_LOAD, 16, all, 32, 0, 2, 2);
    expect(TRAFFIC_SHARED_LOAD, 16, 0x0000ffff, 32, 0, 1, 1);
    /* One element for few lanes, wherever they are. */
    expect(TRAFFIC_SHARED_LOAD, 16, 0x08080808, 32, 0, 1, 1);
    expect(TRAFFIC_SHARED_LOAD, 16, 0x08000008, 32, 0, 1, 1);
    expect(TRAFFIC_SHARED_LOAD, 16, 0x0001ffff, 32, 0, 2, 2);
    expect(TRAFFIC_SHARED_LOAD, 16, 0x08080808, 4, 1, 2, 1);
    /* Pairs that share, but meet in a bank: nothing is joined. */
    expect(TRAFFIC_SHARED_LOAD, 8, all, 2, 16, 16, 1);
    expect(TRAFFIC_SHARED_LOAD, 16, all, 2, 8, 16, 2);
    /* Eight lanes with an element each, over two quarters: joined in the lower half of the warp if
     * lane 31 takes no part, in the upper if neighbours share. */
    expect(TRAFFIC_SHARED_LOAD, 16, 0x00000ff0, 1, 1, 1, 1);
    expect(TRAFFIC_SHARED_LOAD, 16, 0x80000ff0, 1, 1, 3, 2);
    expect(TRAFFIC_SHARED_LOAD, 16, 0x0ff00000, 1, 1, 2, 1);
    expect(TRAFFIC_SHARED_LOAD, 16, 0x55550000, 1, 1, 2, 1);
    expect(TRAFFIC_SHARED_LOAD, 16, 0x55550000, 2, 1, 1, 1);
    expect(TRAFFIC_SHARED_STORE, 16, 0x00000ff0, 1, 1, 2, 1);
    /* Pairs in both halves: without lane 30 the lower one is served by quarters. */
    expect(TRAFFIC_SHARED_LOAD, 16, 0xbfffffff, 2, 1, 3, 2);
    expect(TRAFFIC_SHARED_LOAD, 16, 0x7fffffff, 2, 1, 2, 2);
    /* Lanes in both halves that share nothing: two wavefronts, where lanes of one half take one. */
    expect(TRAFFIC_SHARED_LOAD, 8, 0x00ff00ff, 1, 1, 2, 1);
    expect(TRAFFIC_SHARED_LOAD, 8, 0x0000ffff, 1, 1, 1, 1);
    expect(TRAFFIC_SHARED_LOAD, 4, 0, 1, 1, 0, 0);
}

/* Two lanes that copy, lane 0 from 0 to 0. */
static void expect_copy(int bytes, uint64_t from, uint64_t to, int sectors, int wavefronts)
{
    struct traffic_copy copy = {bytes, 3, false, {0, from}, {0, to}, false};
    struct traffic_copy_cost cost = traffic_copy_cost(&copy);

    CHECK(cost.global.work == sectors && cost.shared.work == wavefronts,
          "%d bytes from %d to %d: %d sectors, %d wavefronts, expected %d and %d", bytes, (int)from,
          (int)to, cost.global.work, cost.shared.work, sectors, wavefronts);
}

/*
 * Lanes in rows of `columns`, whose sources meet in a bank for each column and whose destinations meet
 * in one for each row, as where a tile is transposed on its way. Of 8 rows and 4 columns an H200 counts
 * 11 wavefronts (SGEMM_CUDA's kernel 12 in shared/cpucc/tests/foreign_counts.tsv).
 */
static void expect_crossed(int bytes, int lanes, int columns, int wavefronts)
{
    struct traffic_copy copy = {bytes, UINT32_MAX >> (32 - lanes), false, {0}, {0}, false};
    struct traffic_copy_cost cost;

    for (int lane = 0; lane < lanes; ++lane) {
        int row = lane / columns, column = lane % columns;
        copy.from[lane] = (uint64_t)(row * 128 + column * bytes);
        copy.to[lane] = (uint64_t)(column * 128 + row * bytes);
    }
    cost = traffic_copy_cost(&copy);
    CHECK(cost.shared.work == wavefronts, "%d lanes in rows of %d, %d bytes: %d wavefronts, not %d",
          lanes, columns, bytes, cost.shared.work, wavefronts);
}

/* 32 lanes that copy elements lane / from_divide to lane / to_divide. */
static void expect_row(int bytes, int from_divide, int to_divide, struct traffic_copy_cost expected)
{
    struct traffic_copy copy = {bytes, UINT32_MAX, false, {0}, {0}, false};
    struct traffic_copy_cost cost;

    for (int lane = 0; lane < 32; ++lane) {
        copy.from[lane] = (uint64_t)(lane / from_divide * bytes);
        copy.to[lane] = (uint64_t)(lane / to_divide * bytes);
    }
    cost = traffic_copy_cost(&copy);
    CHECK(memcmp(&cost, &expected, sizeof cost) == 0,
          "%d bytes, lane / %d to lane / %d: sectors %d of %d, wavefronts %d of %d", bytes,
          from_divide, to_divide, cost.global.work, cost.global.ideal, cost.shared.work,
          cost.shared.ideal);
}

static void copies_by_hand(void)
{
    struct traffic_copy copy = {16, UINT32_MAX, false, {0}, {0}, false};
    struct traffic_copy_cost cost;

    /* 4 and 8 bytes: sectors of the source; banks of source and destination. */
    expect_copy(4, 4, 4, 1, 1);
    expect_copy(4, 32, 4, 2, 1);
    expect_copy(4, 128, 4, 2, 2); /* one bank of the source */
    expect_copy(4, 4, 128, 1, 2); /* one bank of the destination */
    expect_copy(4, 128, 128, 2, 2);
    expect_copy(4, 0, 4, 1, 2); /* one word to two places */
    expect_copy(4, 0, 0, 1, 1); /* twice the same */
    expect_copy(8, 128, 8, 2, 2);
    expect_copy(8, 24, 8, 1, 1);
    /* 16 bytes by way of L1: as smaller ones. Every second vector of two lines: eight lanes meet two
     * to a group of banks. */
    struct traffic_copy by_l1 = {16, 255, false, {0}, {0}, true};
    for (int i = 0; i < 8; ++i)
        by_l1.from[i] = 32 * (uint64_t)i, by_l1.to[i] = 16 * (uint64_t)i;
    CHECK(traffic_copy_cost(&by_l1).global.work == 8 && traffic_copy_cost(&by_l1).shared.work == 2,
          "cp.async.ca of 16 bytes: %d sectors, %d wavefronts",
          traffic_copy_cost(&by_l1).global.work, traffic_copy_cost(&by_l1).shared.work);
    expect_row(4, 1, 1, (struct traffic_copy_cost){{4, 4}, {1, 1}});
    expect_row(4, 32, 1, (struct traffic_copy_cost){{1, 1}, {32, 1}});
    expect_row(4, 1, 32, (struct traffic_copy_cost){{4, 4}, {32, 1}});
    expect_row(4, 4, 1, (struct traffic_copy_cost){{1, 1}, {4, 1}});
    expect_row(4, 4, 4, (struct traffic_copy_cost){{1, 1}, {1, 1}});
    expect_row(8, 1, 1, (struct traffic_copy_cost){{8, 8}, {2, 2}});
    expect_row(8, 32, 32, (struct traffic_copy_cost){{1, 1}, {2, 2}});
    expect_row(8, 32, 1, (struct traffic_copy_cost){{1, 1}, {32, 2}});
    /* 16 bytes: pieces of sectors. */
    expect_crossed(4, 32, 4, 11);
    expect_crossed(4, 32, 8, 11);
    expect_crossed(4, 32, 1, 32);
    expect_crossed(4, 9, 3, 5);
    expect_crossed(8, 16, 4, 7);

    expect_copy(16, 16, 16, 1, 1);  /* one piece */
    expect_copy(16, 16, 48, 2, 2);  /* to two rows */
    expect_copy(16, 48, 16, 2, 2);  /* from two sectors */
    expect_copy(16, 0, 16, 2, 2);   /* one element to both halves of a row */
    expect_copy(16, 32, 32, 2, 1);  /* two pieces that are alike */
    expect_copy(16, 32, 48, 2, 2);  /* one goes to the other half of its row */
    expect_copy(16, 32, 96, 2, 1);  /* a sector further, by 64 bytes more */
    expect_copy(16, 32, 64, 2, 2);  /* by 32 bytes more */
    expect_copy(16, 128, 32, 2, 2); /* from two lines */
    expect_copy(16, 32, 128, 2, 2); /* to two lines */
    expect_copy(16, 64, 0, 2, 2);   /* one row twice */
    expect_copy(16, 0, 64, 2, 2);   /* one sector twice */
    expect_row(16, 1, 1, (struct traffic_copy_cost){{16, 16}, {4, 4}});
    expect_row(16, 8, 1, (struct traffic_copy_cost){{32, 16}, {32, 4}});
    /* A row of 512 bytes that begins in the middle of a sector: each of 32 lanes is a piece. From each
     * line go four upper halves of sectors and three lower ones to one line, and a lower one to the
     * line before. */
    for (int lane = 0; lane < 32; ++lane) {
        copy.from[lane] = (uint64_t)(16 + 16 * lane);
        copy.to[lane] = (uint64_t)(16 * lane);
    }
    cost = traffic_copy_cost(&copy);
    CHECK(cost.global.work == 32 && cost.shared.work == 12, "%d sectors, %d wavefronts",
          cost.global.work, cost.shared.work);
    CHECK(cost.global.ideal == 16 && cost.shared.ideal == 4, "ideal %d, %d", cost.global.ideal,
          cost.shared.ideal);
    /* Lanes that write zeros read nothing and cost what a store does. */
    copy.zeros = true;
    copy.from[5] = 1;
    cost = traffic_copy_cost(&copy);
    CHECK(cost.global.work == 0 && cost.global.ideal == 0 && cost.shared.work == 4 &&
              cost.shared.ideal == 4,
          "zeros: %d sectors, %d wavefronts", cost.global.work, cost.shared.work);
    copy.to[5] = 1;
    CHECK(traffic_copy_cost(&copy).shared.work == 0, "zeros to a misaligned address");
}

static void illegal(void)
{
    struct traffic_request request = request_of(TRAFFIC_SHARED_LOAD, 8, 0xff, 1, 1);
    struct traffic_wavefront wavefront[TRAFFIC_MAX_WAVEFRONTS];
    struct traffic_copy copy = {4, 3, false, {0, 4}, {0, 4}, false};

    request.address[3] += 4;
    CHECK(!traffic_legal(&request) && traffic_cost(&request).work == 0, "misaligned");
    CHECK(traffic_wavefronts(&request, wavefront) == 0, "misaligned");
    request.lanes = 7;
    CHECK(traffic_legal(&request), "a lane that takes no part may have any address");
    for (int bytes = -1; bytes <= 33; ++bytes) {
        request.bytes = bytes;
        CHECK(traffic_legal(&request) == (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8),
              "%d bytes", bytes);
    }
    CHECK(traffic_copy_cost(&copy).global.work == 1, "a copy");
    copy.bytes = 2;
    CHECK(traffic_copy_cost(&copy).global.work == 0, "cp.async of 2 bytes");
}

/* ---- properties --------------------------------------------------------------------------- */

/* A request as a kernel may make it, or at random. */
static void draw(struct traffic_request *request)
{
    uint32_t keep = random_below(32), stride = 1 + random_below(33), range = 1 + random_below(512);

    request->kind = (enum traffic_kind)random_below(4);
    request->bytes = 1 << random_below(5);
    request->lanes = UINT32_MAX;
    for (uint32_t i = random_below(4); i > 0; --i)
        request->lanes &= random_below(65536) << 16 | random_below(65536);
    for (int lane = 0; lane < 32; ++lane)
        request->address[lane] =
            (unsigned)request->bytes *
            (uint64_t)(random_below(4) ? ((uint32_t)lane & keep) * stride : random_below(range));
}

/* Do the details say what the cost says? */
static void check_details(const struct traffic_request *request)
{
    struct traffic_wavefront wavefront[TRAFFIC_MAX_WAVEFRONTS];
    struct traffic_sector sector[TRAFFIC_MAX_WAVEFRONTS];
    struct traffic_cost cost = traffic_cost(request);
    int wavefronts = traffic_wavefronts(request, wavefront);
    int sectors = traffic_sectors(request, sector);
    uint32_t served = 0, groups = 0;

    CHECK(cost.work >= cost.ideal && (cost.ideal > 0) == (request->lanes != 0), "%d of %d",
          cost.work, cost.ideal);
    CHECK((is_shared(request->kind) ? wavefronts : sectors) == cost.work &&
              (is_shared(request->kind) ? sectors : wavefronts) == 0,
          "kind %d: %d wavefronts, %d sectors, work %d", request->kind, wavefronts, sectors,
          cost.work);
    for (int i = 0; i < sectors; ++i) {
        CHECK(!(served & sector[i].lanes), "a lane in two sectors");
        served |= sector[i].lanes;
    }
    for (int i = 0; i < wavefronts; ++i) {
        if (!i || wavefront[i].group != wavefront[i - 1].group) {
            CHECK(!(groups & wavefront[i].in_group), "a lane in two groups");
            groups |= wavefront[i].in_group;
        }
        for (int bank = 0; bank < 32; ++bank) {
            CHECK(!(wavefront[i].lanes[bank] & ~wavefront[i].in_group), "a lane of another group");
            CHECK(!wavefront[i].lanes[bank] || wavefront[i].word[bank] % 32 == (unsigned)bank,
                  "a word in the wrong bank");
            served |= wavefront[i].lanes[bank];
        }
    }
    CHECK(served == request->lanes, "lanes %08x, served %08x", (unsigned)request->lanes,
          (unsigned)served);
    /* Each lane gets each of its words once. */
    for (int lane = 0; lane < 32 && wavefronts; ++lane) {
        int words = 0;
        for (int i = 0; i < wavefronts; ++i)
            for (int bank = 0; bank < 32; ++bank)
                words += wavefront[i].lanes[bank] >> lane & 1;
        CHECK(words == (request->lanes >> lane & 1 ? (request->bytes + 3) / 4 : 0),
              "lane %d gets %d words", lane, words);
    }
}

/*
 * A request of so many lanes and distinct elements: lanes 0 to alone - 1 have an element each, the
 * others take pairs of neighbouring lanes, both of them or one, and a pair shares an element. False
 * if that cannot be.
 */
static bool arrange(struct traffic_request *request, int lanes, int elements, int alone)
{
    int rest = lanes - alone, left = elements - alone, first = (alone + 1) & ~1;
    int pairs = left > (rest + 1) / 2 ? left : (rest + 1) / 2;

    if (rest < 0 || left < 0 || left > rest || pairs > (32 - first) / 2)
        return false;
    request->lanes = alone == 32 ? UINT32_MAX : (UINT32_C(1) << alone) - 1;
    for (int lane = 0; lane < alone; ++lane)
        request->address[lane] = (uint64_t)(lane * request->bytes);
    for (int pair = 0; pair < pairs; ++pair)
        for (int i = 0; i < 1 + (pair < rest - pairs); ++i) {
            int lane = first + 2 * pair + i;
            int element = left ? alone + (pair < left ? pair : left - 1) : 0;
            request->lanes |= UINT32_C(1) << lane;
            request->address[lane] = (uint64_t)(element * request->bytes);
        }
    return true;
}

/* The ideal can be had: for every number of lanes and of distinct elements a request costs it. */
static void ideal_is_reached(void)
{
    for (int kind = 0; kind < 4; ++kind)
        for (int bytes = 1; bytes <= 16; bytes *= 2)
            for (int lanes = 1; lanes <= 32; ++lanes)
                for (int elements = 1; elements <= lanes; ++elements) {
                    int best = 1000, ideal = 0;
                    for (int alone = 0; alone <= elements; ++alone) {
                        struct traffic_request request = {(enum traffic_kind)kind, bytes, 0, {0}};
                        struct traffic_cost cost;
                        if (!arrange(&request, lanes, elements, alone))
                            continue;
                        cost = traffic_cost(&request);
                        CHECK(!ideal || cost.ideal == ideal, "the ideal depends on the places");
                        ideal = cost.ideal;
                        best = cost.work < best ? cost.work : best;
                    }
                    CHECK(best == ideal, "kind %d, %d bytes, %d lanes, %d elements: %d, not %d",
                          kind, bytes, lanes, elements, best, ideal);
                }
}

static struct traffic_copy random_copy(void)
{
    struct traffic_copy copy = {4 << random_below(3), UINT32_MAX, false, {0}, {0}, false};
    uint32_t stride = 1 + random_below(4), shift = random_below(8);
    uint32_t range = 1 << random_below(9), keep = random_below(2) ? 31 : random_below(32);

    if (random_below(2))
        copy.lanes = random_below(65536) << 16 | random_below(65536);
    for (uint32_t lane = 0; lane < 32; ++lane) {
        uint32_t from = random_below(4) ? lane * stride : random_below(range);
        copy.from[lane] = (uint64_t)(from * (uint32_t)copy.bytes);
        copy.to[lane] = (uint64_t)(((lane & keep) + shift) * (uint32_t)copy.bytes);
    }
    return copy;
}

/* No copy costs less than its ideal. */
static void copies(void)
{
    for (int n = 0; n < 50000; ++n) {
        struct traffic_copy copy = random_copy();
        struct traffic_copy_cost cost = traffic_copy_cost(&copy);
        CHECK(cost.global.work >= cost.global.ideal && cost.shared.work >= cost.shared.ideal &&
                  (cost.shared.ideal > 0) == (copy.lanes != 0),
              "%d bytes, lanes %08x: %d of %d, %d of %d", copy.bytes, (unsigned)copy.lanes,
              cost.global.work, cost.global.ideal, cost.shared.work, cost.shared.ideal);
    }
}

/* The lanes of a copy of `pairs` different elements, the others repeating the last: `whole` of them
 * as whole sectors, then one in the lower half of each sector, or in each bank. */
static struct traffic_copy arrange_copy(int bytes, int lanes, int pairs, int whole)
{
    struct traffic_copy copy = {bytes, 0, false, {0}, {0}, false};

    for (int lane = 0; lane < lanes; ++lane) {
        int n = lane < pairs ? lane : pairs - 1;
        int element = n < whole || bytes < 16 ? n : (whole + 7) / 8 * 8 + 2 * (n - whole);
        copy.lanes |= UINT32_C(1) << lane;
        copy.from[lane] = copy.to[lane] = (uint64_t)(element * bytes);
    }
    return copy;
}

/* The ideal of a copy can be had, for each number of lanes and of different elements. */
static void copy_ideal_is_reached(void)
{
    for (int bytes = 4; bytes <= 16; bytes *= 2)
        for (int lanes = 1; lanes <= 32; ++lanes)
            for (int pairs = 1; pairs <= lanes; ++pairs) {
                struct traffic_copy_cost cost, best = {{1000, 0}, {1000, 0}};
                for (int whole = pairs; whole >= 0; --whole) {
                    struct traffic_copy copy = arrange_copy(bytes, lanes, pairs, whole);
                    cost = traffic_copy_cost(&copy);
                    if (cost.global.work < best.global.work)
                        best.global = cost.global;
                    if (cost.shared.work < best.shared.work)
                        best.shared = cost.shared;
                }
                CHECK(best.global.work == best.global.ideal &&
                          best.shared.work == best.shared.ideal,
                      "%d bytes, %d lanes, %d different: sectors %d of %d, wavefronts %d of %d",
                      bytes, lanes, pairs, best.global.work, best.global.ideal, best.shared.work,
                      best.shared.ideal);
            }
}

/* A request whose lanes form rows of `row` elements, `pitch` bytes apart, from byte `start` on. */
static struct traffic_request rows_of(int bytes, int row, uint64_t pitch, uint64_t start)
{
    struct traffic_request r = {TRAFFIC_GLOBAL_STORE, bytes, UINT32_MAX, {0}};

    for (int lane = 0; lane < TRAFFIC_LANES; ++lane)
        r.address[lane] = start + (uint64_t)(lane / row) * pitch + (uint64_t)(lane % row * bytes);
    return r;
}

static void packets_by_hand(void)
{
    static const struct {
        int bytes, row, pitch, start, work, ideal;
    } cases[] = {
        {4, 32, 0, 0, 1, 1},     /* one piece of 128 bytes */
        {4, 32, 0, 64, 2, 1},    /* the same across a boundary */
        {4, 16, 4096, 0, 2, 1},  /* two of 64 */
        {4, 8, 4096, 0, 4, 1},   /* four of 32 */
        {4, 8, 4096, 112, 8, 1}, /* each across a boundary */
        {4, 1, 4096, 0, 32, 1},  /* a column */
        {4, 1, 0, 4, 1, 1},      /* one element */
        {16, 32, 0, 0, 4, 4},    /* 512 bytes in a row */
        {16, 8, 128, 128, 4, 4}, {16, 8, 1024, 16, 8, 4},
        {8, 32, 0, 0, 2, 2},     {1, 32, 0, 100, 2, 1},
    };

    for (int i = 0; i < (int)(sizeof cases / sizeof *cases); ++i) {
        struct traffic_request r = rows_of(cases[i].bytes, cases[i].row, (uint64_t)cases[i].pitch,
                                           (uint64_t)cases[i].start);
        struct traffic_cost cost = traffic_packets(&r);
        CHECK(cost.work == cases[i].work && cost.ideal == cases[i].ideal, "case %d: %d, %d", i,
              cost.work, cost.ideal);
        r.kind = TRAFFIC_SHARED_STORE;
        CHECK(traffic_packets(&r).work == 0, "shared memory");
    }
}

int main(int argc, char **argv)
{
    struct traffic_request request;

    by_hand();
    copies_by_hand();
    illegal();
    packets_by_hand();
    for (int n = 0; n < 50000; ++n) {
        draw(&request);
        check_details(&request);
    }
    ideal_is_reached();
    copies();
    copy_ideal_is_reached();
    for (int i = 1; i < argc; ++i)
        recorded(argv[i]);
    return check_summary("traffic");
}
