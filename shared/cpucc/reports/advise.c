/*
 * Describes the pattern of a request in one sentence and says what to try. The report does so for
 * the request of a line that wastes most. The reader must judge whether the advice fits the kernel.
 */
#include <stdio.h>
#include <stdlib.h>
#include "trace.h"

/* The addresses of the active lanes in lane order, as rows of `run` lanes: `step` bytes from lane
 * to lane in a row, `jump` bytes from the last lane of a row to the first of the next. */
struct walk {
    int lanes, run;
    bool regular; /* the rows describe all addresses */
    int64_t first, step, jump;
};

static struct walk walk_of(const struct trace_pattern *p, int side)
{
    struct walk w = {.regular = true};
    int64_t at[WARP];
    for (uint32_t m = p->lanes; m; m &= m - 1)
        at[w.lanes++] = p->offset[side][__builtin_ctz(m)];
    w.first = w.lanes ? at[0] : 0;
    w.step = w.lanes > 1 ? at[1] - at[0] : 0;
    w.run = 1;
    while (w.run < w.lanes && at[w.run] - at[w.run - 1] == w.step)
        w.run++;
    w.jump = w.run < w.lanes ? at[w.run] - at[w.run - 1] : 0;
    for (int i = 1; i < w.lanes; i++)
        w.regular &= at[i] - at[i - 1] == (i % w.run ? w.step : w.jump);
    return w;
}

static int64_t gcd(int64_t a, int64_t b)
{
    for (int64_t rest; b; a = b, b = rest)
        rest = a % b;
    return llabs(a);
}

/* Returns how many different bytes the lanes access. */
static int distinct_bytes(const struct trace_pattern *p, int side)
{
    int count = 0;
    for (uint32_t m = p->lanes; m; m &= m - 1)
        for (int64_t b = 0, at = p->offset[side][__builtin_ctz(m)]; b < p->bytes; b++) {
            bool seen = false;
            for (uint32_t k = p->lanes & ((m & -m) - 1); k && !seen; k &= k - 1) {
                int64_t other = p->offset[side][__builtin_ctz(k)];
                seen = at + b >= other && at + b < other + p->bytes;
            }
            count += !seen;
        }
    return count;
}

/* Writes the advice for global memory. */
static void global(const struct trace_pattern *p, bool store, int side, char *to, size_t capacity)
{
    struct walk w = walk_of(p, side);
    long long step = llabs(w.step), bytes = p->bytes;
    const char *verb = store ? "write" : "read";
    long long row = w.run * bytes, used = distinct_bytes(p, side), moved = 32LL * p->work[side];
    if (p->work[side] <= p->ideal[side] && used == moved)
        snprintf(to, capacity,
                 "Coalesced: the lanes use every byte of the sectors that they touch.");
    else if (p->work[side] <= p->ideal[side])
        snprintf(
            to, capacity,
            "As few sectors as can hold the bytes: %d lane%s %s%s %lld of the %lld bytes moved. "
            "If the others are needed too, let the lanes of one request %s them.",
            w.lanes, w.lanes == 1 ? "" : "s", verb, w.lanes == 1 ? "s" : "", used, moved, verb);
    else if (w.regular && w.run == w.lanes && step == bytes)
        snprintf(
            to, capacity,
            "Misaligned start: the lanes %s one row, but it begins %lld bytes behind the start "
            "of a 32-byte sector and so touches one sector too many. Let each warp begin at a "
            "multiple of 32 bytes: pad the pitch, or shift the window that it works on.",
            verb, (long long)(w.step < 0 ? w.first + (w.lanes - 1) * w.step : w.first) % 32);
    else if (w.regular && w.run == w.lanes && step > bytes && step < 32)
        snprintf(to, capacity,
                 "Stride %lld: lane after lane %ss an element %lld bytes further, so %lld of every "
                 "%lld bytes moved are used. Let neighbouring lanes take neighbouring elements, or "
                 "each lane the whole %lld bytes at once.",
                 step / bytes, verb, step, bytes, step, step);
    else if (w.regular && step >= 32)
        snprintf(to, capacity,
                 "A column of a row-major matrix: lane after lane is %lld bytes (%lld elements) "
                 "further, each in a sector of its own, and uses %lld of its 32 bytes. Let "
                 "threadIdx.x run along a row, or go through a tile in shared memory so that both "
                 "sides are rows.",
                 step, step / bytes, bytes);
    else if (w.regular && step == bytes && row % 32)
        snprintf(to, capacity,
                 "Short rows: %d lanes %s %lld contiguous bytes, then the next row begins; rows "
                 "that are no multiple of 32 bytes leave parts of their sectors unused. Let more "
                 "neighbouring lanes go along one row.",
                 w.run, verb, row);
    else if (w.regular && step == bytes)
        snprintf(
            to, capacity,
            "Misaligned rows: %d lanes %s a row of %lld bytes, but rows do not begin at "
            "multiples of 32 bytes, so each touches a sector too many. Pad the pitch, or shift "
            "what a warp works on.",
            w.run, verb, row);
    else
        snprintf(
            to, capacity,
            "Scattered: the lanes meet %d sectors where %d would hold their bytes, at no "
            "regular distance. Sort or group what they touch, or %s rows and scatter in shared "
            "memory.",
            p->work[side], p->ideal[side], verb);
}

/* Returns how many lanes at once want different words of the busiest bank, *bank (-1: no bank). */
static int busiest(const struct trace_pattern *p, bool store, int side, int *bank)
{
    struct site_count s = {
        .worst = {store ? TRAFFIC_SHARED_STORE : TRAFFIC_SHARED_LOAD, p->bytes, p->lanes, {0}}};
    uint32_t lanes = 0;
    for (int i = 0; i < WARP; i++)
        s.worst.address[i] = (uint64_t)p->offset[side][i];
    int cpucc_worst_bank(const struct site_count *, uint32_t *);
    *bank = cpucc_worst_bank(&s, &lanes);
    return __builtin_popcount(lanes);
}

/* Writes the advice for shared memory. */
static void shared(const struct trace_pattern *p, bool store, int side, char *to, size_t capacity)
{
    struct walk w = walk_of(p, side);
    int bank, meet = busiest(p, store, side, &bank);
    long long step = llabs(w.step) / 4, unit = p->bytes < 4 ? 1 : p->bytes / 4;
    const char *vector = unit > 1 ? " by vectors" : "";
    if (p->work[side] <= p->ideal[side])
        snprintf(to, capacity,
                 "No bank conflict: no two lanes that are served together want different "
                 "words of one bank.");
    else if (bank < 0 && side)
        snprintf(to, capacity,
                 "No two words meet in a bank, but source and destination lie differently in their "
                 "128-byte lines, so fewer bytes go at a time. Let both begin at the same place of "
                 "a line.");
    else if (bank < 0)
        snprintf(
            to, capacity,
            "No two words meet in a bank, but lanes of %d bytes are served a %s of the warp at "
            "a time. Let neighbouring lanes share words, or narrower ones reach more lanes.",
            p->bytes, p->bytes == 8 ? "half" : "quarter");
    else if (w.regular && w.step % 4 == 0 && step > unit && !(step & (step - 1)) && w.lanes < WARP)
        snprintf(
            to, capacity,
            "Every %lldth word, by %d lanes of the warp: in a reduction or scan, let the first "
            "lanes work on neighbouring words (s[i] += s[i + half]), so that no two of the %d "
            "meet in bank %d.",
            step, w.lanes, meet, bank);
    else if (w.regular && w.step % 4 == 0 && step && step % 32 == 0)
        snprintf(to, capacity,
                 "A column of a row-major tile: its rows are %lld words long, a multiple of the 32 "
                 "banks, so %d lanes meet in bank %d%s. Pad each row by %lld unused word%s, or "
                 "swizzle: exclusive-or the column with the row.",
                 step, meet, bank, vector, unit, unit == 1 ? "" : "s");
    else if (w.regular && w.step % 4 == 0 && step > unit && gcd(step, 32) > unit &&
             w.run * gcd(step, 32) > 32)
        snprintf(to, capacity,
                 "Stride %lld: lane after lane is %lld words further, which meets only %lld of the "
                 "32 banks, %d lanes in bank %d. Let neighbouring lanes take neighbouring %s, in a "
                 "reduction too (s[i] += s[i + half]); or pad the rows: an odd number of %s meets "
                 "all banks.",
                 step / unit, step, 32 / gcd(step, 32) * unit, meet, bank,
                 unit == 1 ? "words" : "vectors", unit == 1 ? "words" : "vectors");
    else if (w.regular && w.run == w.lanes && llabs(w.step) > p->bytes)
        snprintf(
            to, capacity,
            "Stride %lld: lane after lane is %lld bytes further, so the lanes reach over more "
            "than the 128 bytes of the 32 banks, and %d lanes meet in bank %d. Let neighbouring "
            "lanes take neighbouring elements.",
            (long long)llabs(w.step) / p->bytes, (long long)llabs(w.step), meet, bank);
    else if (w.regular && w.run < w.lanes)
        snprintf(
            to, capacity,
            "Rows that meet: %d lanes go along one row, the next begins %lld words further and "
            "falls on the same banks, %d lanes in bank %d. Pad or swizzle the rows, so that "
            "those which one request touches begin at different banks.",
            w.run, (long long)llabs((w.run - 1) * w.step + w.jump) / 4, meet, bank);
    else
        snprintf(to, capacity,
                 "A %d-way bank conflict at no regular distance: %d lanes want different words of "
                 "bank %d. Change the layout (a swizzle, another pitch) so that they fall on "
                 "different banks.",
                 (p->work[side] + p->ideal[side] - 1) / p->ideal[side], meet, bank);
}

void cpucc_advise(int counter, const struct trace_pattern *p, int side, char *to, size_t capacity)
{
    *to = 0;
    switch (counter) {
    case CPUCC_GLOBAL_LOAD:
    case CPUCC_ASYNC_COPY_GLOBAL: global(p, false, side, to, capacity); break;
    case CPUCC_GLOBAL_STORE: global(p, true, side, to, capacity); break;
    case CPUCC_SHARED_LOAD: shared(p, false, side, to, capacity); break;
    case CPUCC_SHARED_STORE:
    case CPUCC_ASYNC_COPY_SHARED: shared(p, true, side, to, capacity); break;
    default: break;
    }
}
