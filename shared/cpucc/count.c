/*
 * What a warp's request costs. The rules are those that an H200 follows (Nsight Compute's
 * instruction-exact metrics, recorded for shared/tests/cpucc/counting.cu and for every step):
 *
 *   global memory: the distinct 32-byte sectors that the active lanes touch;
 *   shared memory: 32 banks of 4 bytes (CUDA C++ Programming Guide, "Shared Memory"). Accesses of up
 *   to 4 bytes take as many wavefronts as the largest number of distinct words in one bank; wider
 *   ones are served in groups of lanes.
 */
#include <string.h>
#include "internal.h"

/* A set of up to 32 numbers. */
struct set {
    uint64_t item[128];
    uint8_t used[128];
    int size;
};

static bool add(struct set *s, uint64_t item)
{
    unsigned h = (unsigned)((item * 0x9e3779b97f4a7c15u) >> 57);
    while (s->used[h]) {
        if (s->item[h] == item)
            return false;
        h = (h + 1) & 127;
    }
    s->used[h] = 1;
    s->item[h] = item;
    s->size++;
    return true;
}

/* Number of different values in a[i] >> shift. Neighbours are often in order: then no set. */
static int distinct(const uintptr_t *a, int n, int shift)
{
    int count = 1, i = 1;
    for (; i < n && a[i] >> shift >= a[i - 1] >> shift; i++)
        count += a[i] >> shift != a[i - 1] >> shift;
    if (i == n)
        return count;
    struct set s;
    memset(s.used, 0, sizeof s.used);
    s.size = 0;
    for (i = 0; i < n; i++)
        add(&s, a[i] >> shift);
    return s.size;
}

/* Wavefronts of one group of lanes: the largest number of distinct words in one bank. */
static int group_wavefronts(const uintptr_t *a, int n, int words)
{
    uint8_t load[WARP] = {0};
    int most = 0;
    struct set s;
    memset(s.used, 0, sizeof s.used);
    s.size = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < words; k++) {
            uintptr_t word = a[i] / 4 + (uintptr_t)k;
            if (add(&s, word) && ++load[word % 32] > most)
                most = load[word % 32];
        }
    return most;
}

/* Whether each active lane reads what the lane that differs in bit `step` of its number reads,
 * among lanes first .. first + size - 1. */
static bool shared_by_pairs(const uintptr_t *a, const uint8_t *lanes, int n, int step)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && lanes[j] <= lanes[i] + step; j++)
            if (lanes[j] == (lanes[i] ^ step) && a[j] != a[i])
                return false;
    return true;
}

/* Wavefronts of a request: a[i] is the address of lane lanes[i], in ascending order of lanes.
 * 8-byte accesses are served in halves of 16 lanes and 16-byte ones in quarters of 8. Two
 * neighbouring groups are served as one by a load, not by a store, if in both of them all lanes
 * that differ in bit 0 of their number read the same element, or all that differ in bit 1 do. Both
 * halves of a 16-byte load are served as one if, beside, no more than 16 lanes are active and those
 * that differ in bit 4 read the same element (the least certain of these rules: one probe of
 * counting.cu shows it). */
static int wavefronts(const uintptr_t *a, const uint8_t *lanes, int n, uint32_t bytes, bool load)
{
    if (bytes <= 4)
        return group_wavefronts(a, n, 1);
    int size = bytes == 8 ? 16 : 8, words = (int)bytes / 4, total = 0;
    if (load && bytes == 16 && n <= 16 && shared_by_pairs(a, lanes, n, 16) &&
        (shared_by_pairs(a, lanes, n, 1) || shared_by_pairs(a, lanes, n, 2))) {
        bool both = false; /* whether any lane has its partner */
        for (int i = 0; i < n; i++)
            for (int j = i + 1; j < n; j++)
                both |= lanes[j] == (lanes[i] ^ 16);
        if (both)
            return group_wavefronts(a, n, words);
    }
    for (int i = 0; i < n;) {
        int first = i, middle, wide = lanes[i] / (2 * size);
        while (i < n && lanes[i] < wide * 2 * size + size)
            i++;
        for (middle = i; i < n && lanes[i] / (2 * size) == wide;)
            i++;
        if (load && (shared_by_pairs(a + first, lanes + first, i - first, 1) ||
                     shared_by_pairs(a + first, lanes + first, i - first, 2))) {
            total += group_wavefronts(a + first, i - first, words);
            continue;
        }
        total += middle > first ? group_wavefronts(a + first, middle - first, words) : 0;
        total += i > middle ? group_wavefronts(a + middle, i - middle, words) : 0;
    }
    return total;
}

/* cp.async moves pieces: what goes from one 32-byte sector of global memory to one 32-byte row of
 * shared memory. Each is a sector of work. One wavefront writes the pieces of one 128-byte line
 * that lie alike in their sectors and rows, if no two meet in a bank. */
void cpucc_count_async(const uintptr_t *from, const uintptr_t *to, int n, uint32_t bytes,
                       uint64_t *sectors, uint64_t *waves)
{
    struct {
        uintptr_t sector, row;
        uint32_t mask;
        int shift;
        bool done;
    } piece[WARP];
    int pieces = 0;
    for (int i = 0; i < n; i++) {
        int p = 0;
        while (p < pieces && (piece[p].sector != from[i] / 32 || piece[p].row != to[i] / 32))
            p++;
        if (p == pieces) {
            piece[p].sector = from[i] / 32, piece[p].row = to[i] / 32, piece[p].mask = 0;
            piece[p].shift = (int)(to[i] % 32) - (int)(from[i] % 32), piece[p].done = false;
            pieces++;
        }
        piece[p].mask |= ((1u << bytes) - 1) << from[i] % 32;
    }
    *sectors = (uint64_t)pieces;
    *waves = 0;
    for (int p = 0; p < pieces; p++) {
        if (piece[p].done)
            continue;
        uintptr_t words[WARP * 8];
        int count = 0;
        for (int q = p; q < pieces; q++)
            if (!piece[q].done && piece[q].sector / 4 == piece[p].sector / 4 &&
                piece[q].mask == piece[p].mask && piece[q].shift == piece[p].shift) {
                piece[q].done = true;
                for (int w = 0; w < 8; w++)
                    if (piece[q].mask >> 4 * w & 15)
                        words[count++] =
                            piece[q].row * 32 + (uintptr_t)((4 * w + piece[q].shift) & 31);
            }
        uint8_t load[WARP] = {0};
        int most = 1;
        for (int i = 0; i < count; i++)
            if (++load[words[i] / 4 % 32] > most)
                most = load[words[i] / 4 % 32];
        *waves += (uint64_t)most;
    }
}

static int log2_of(uint32_t n) { return __builtin_ctz(n); }

/* work: where it is known already, else 0. */
void cpucc_count_request(struct warp *w, uintptr_t pc, int counter, const uintptr_t *a,
                         const uint8_t *lanes, int n, uint32_t bytes, bool shared, uint64_t work)
{
    int bytes_touched = distinct(a, n, log2_of(bytes)) * (int)bytes;
    int unit = shared ? 128 : 32;
    uint64_t ideal = (uint64_t)(bytes_touched + unit - 1) / (uint64_t)unit;
    bool load = counter == CPUCC_GLOBAL_LOAD || counter == CPUCC_SHARED_LOAD;
    if (!work)
        work = (uint64_t)(shared ? wavefronts(a, lanes, n, bytes, load) : distinct(a, n, 5));
    struct site_count *site = cpucc_site(cpucc_the_launch->record, pc);
    cpucc_count(pc, counter, work, ideal);
    site->counter[counter].requests++;
    site->counter[counter].work += work;
    site->counter[counter].ideal_work += ideal;
    if (work * (site->worst_ideal ? site->worst_ideal : 1) > site->worst_work * ideal) {
        site->worst_work = work, site->worst_ideal = ideal, site->worst_counter = counter;
        site->worst_block = w->block->number, site->worst_warp = (uint16_t)w->number;
        site->worst_bytes = bytes, site->worst_mask = 0;
        for (int i = 0; i < n; i++) {
            site->worst_mask |= 1u << lanes[i];
            site->worst_address[lanes[i]] = a[i];
        }
    }
}
