/*
 * Encodes tensor maps by the rules of cuTensorMapEncodeTiled (CUDA Driver API), and finds where the
 * elements of a map's box lie.
 *
 * The swizzle modes follow the CUDA C++ Programming Guide: the number of a 16-byte chunk (address
 * bits from 4 on) is XORed with the number of its 128-byte line (bits from 7 on), in 1, 2 or 3
 * bits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../include/cuda.h"
#include "async.h"

enum { MAGIC = 0x74736e74 };

/* By CUtensorMapDataType: bytes per element. */
static const uint8_t type_bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

_Static_assert(sizeof(struct tensor_map) <= 128, "a tensor map has 128 bytes");

/* Prints why the map is refused (the driver gives no reason), and returns the driver's error. */
static CUresult refused(const char *why)
{
    fprintf(stderr, "cpucc: cuTensorMapEncodeTiled refuses this map: %s\n", why);
    return CUDA_ERROR_INVALID_VALUE;
}

/* Returns which rule for maps without interleaving this one breaks, or NULL. */
static const char *broken_rule(const struct tensor_map *m)
{
    if (m->rank < 1 || m->rank > 5)
        return "rank must be 1 to 5, with interleaving 3 to 5";
    if (!m->address || m->address % 16)
        return "the global address must be aligned to 16 bytes";
    for (int i = 0; i < m->rank; i++) {
        if (m->dim[i] == 0 || m->dim[i] > (uint64_t)1 << 32)
            return "every global dimension must be 1 to 2^32";
        if (m->box[i] == 0 || m->box[i] > 256)
            return "every box dimension must be 1 to 256";
        if (i + 1 < m->rank && (m->stride[i] % 16 || m->stride[i] >= (uint64_t)1 << 40))
            return "every global stride must be a multiple of 16 and less than 2^40";
    }
    uint32_t inner = (uint32_t)m->box[0] * m->element_bytes;
    if (inner % 16)
        return "the box's inner dimension must be a multiple of 16 bytes";
    if (m->swizzle && inner > 16u << m->swizzle)
        return "the box's inner dimension is wider than the swizzle's span";
    return NULL;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank,
                                void *address, const cuuint64_t *dims, const cuuint64_t *strides,
                                const cuuint32_t *box, const cuuint32_t *element_strides,
                                CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    if (!map || (uintptr_t)map % 64)
        return refused("the map must be aligned to 64 bytes");
    if ((unsigned)type >= sizeof type_bytes || (unsigned)swizzle > CU_TENSOR_MAP_SWIZZLE_128B ||
        (unsigned)promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B || (unsigned)interleave > 2 ||
        (unsigned)fill > 1)
        return refused("an argument is no enumerator of its type");
    if (rank < 1 || rank > 5 || (interleave && rank < 3))
        return refused("rank must be 1 to 5, with interleaving 3 to 5");
    if (!dims || !box || !element_strides || (rank > 1 && !strides))
        return refused("dimensions, strides and box must be given");
    struct tensor_map m = {.magic = MAGIC,
                           .rank = (uint8_t)rank,
                           .element_bytes = type_bytes[type],
                           .swizzle = (uint8_t)swizzle,
                           .address = (uintptr_t)address};
    for (cuuint32_t i = 0; i < rank; i++) {
        if (element_strides[i] == 0 || element_strides[i] > 8)
            return refused("every element stride must be 1 to 8");
        m.dim[i] = dims[i];
        m.box[i] = (uint16_t)(box[i] > 256 ? 0 : box[i]);
        if (i + 1 < rank)
            m.stride[i] = strides[i];
    }
    const char *rule = broken_rule(&m);
    if (rule && !interleave)
        return refused(rule);
    if (fill && !(type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16))
        return refused("NaN fill needs a floating-point type");
    bool strided = false;
    for (cuuint32_t i = 0; i < rank; i++)
        strided |= element_strides[i] != 1;
    if (interleave || fill || strided) {
        fprintf(stderr,
                "cpucc: interleaved, strided and NaN-filled tensor maps are not supported\n");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    memset(map, 0, sizeof *map);
    memcpy(map, &m, sizeof m);
    return CUDA_SUCCESS;
}

bool cpucc_is_tensor_map(const void *map)
{
    const struct tensor_map *m = map;
    if ((uintptr_t)map % 64 || m->magic != MAGIC || m->swizzle > 3 || m->element_bytes < 1 ||
        m->element_bytes > 8 || broken_rule(m))
        return false;
    uint64_t bytes = m->element_bytes;
    for (int i = 0; i < m->rank; i++)
        bytes *= m->box[i];
    return bytes <= INT32_MAX;
}

static uintptr_t swizzled(uintptr_t a, int mode)
{
    return mode ? a ^ ((a >> 7 & (((uintptr_t)1 << mode) - 1)) << 4) : a;
}

struct piece *cpucc_box_pieces(const struct tensor_map *m, const int *at, uintptr_t shared,
                               int *count)
{
    int rows = 1, row_bytes = m->box[0] * m->element_bytes, n = 0;
    for (int i = 1; i < m->rank; i++)
        rows *= m->box[i];
    struct piece *list = malloc(sizeof *list * (size_t)rows * (size_t)(row_bytes / 16 + 3));
    if (!list)
        abort();
    for (int r = 0; r < rows; r++) {
        /* base: the row's address; inside: whether the row lies in the tensor. */
        uint64_t base = m->address;
        bool inside = true;
        for (int i = 1, rest = r; i < m->rank; rest /= m->box[i], i++) {
            int64_t c = (int64_t)at[i] + rest % m->box[i];
            inside &= c >= 0 && c < (int64_t)m->dim[i];
            base += (uint64_t)c * m->stride[i - 1];
        }
        /* The bytes [from, to) of the row lie in the tensor. */
        int64_t from = -(int64_t)at[0] * m->element_bytes;
        int64_t to = ((int64_t)m->dim[0] - at[0]) * m->element_bytes;
        from = from < 0 ? 0 : from;
        to = !inside || to < from ? from : to > row_bytes ? row_bytes : to;
        for (int b = 0; b < row_bytes;) {
            bool in = b >= from && b < to;
            int64_t end =
                b / 16 * 16 + 16; /* pieces end at 16-byte chunks and where the tensor ends */
            int64_t turn = b < from ? from : b < to ? to : row_bytes;
            end = turn < end && turn > b ? turn : end;
            end = end > row_bytes ? row_bytes : end;
            list[n++] =
                (struct piece){swizzled(shared + (uintptr_t)(r * row_bytes + b), m->swizzle),
                               in ? base + (uint64_t)((int64_t)at[0] * m->element_bytes + b) : 0,
                               (uint32_t)(end - b)};
            b = (int)end;
        }
    }
    *count = n;
    return list;
}

struct traffic_cost cpucc_peer_units(const struct piece *p, int count, uint64_t unit)
{
    uint64_t next = 0, bytes = 0; /* next: the number behind the last unit's */
    struct traffic_cost cost = {0, 0};
    for (int i = 0; cpucc_device_count > 1 && i < count; i++) {
        if (!p[i].global || !cpucc_is_peers(p[i].global))
            continue;
        uint64_t first = p[i].global / unit, end = (p[i].global + p[i].bytes - 1) / unit + 1;
        cost.work += (int)(end - (first + 1 == next ? next : first));
        next = end, bytes += p[i].bytes;
    }
    cost.ideal = (int)((bytes + unit - 1) / unit);
    return cost;
}

/* ---- parameters that hold maps ---- */

/* Notes where the thread has a __grid_constant__ parameter, for cpucc_map_in_place. */
void cpucc_grid_constant(const void *parameter, uint64_t bytes)
{
    struct lane *l = cpucc_current;
    if (l && l->grid_constant_count < MAX_GRID_CONSTANTS) {
        l->grid_constant[l->grid_constant_count].start = (uintptr_t)parameter;
        l->grid_constant[l->grid_constant_count++].bytes = bytes;
    }
}

/* Whether TMA can read the tensor map, which must not lie in local memory. A parameter whose
 * address is taken is copied to local memory unless it is __grid_constant__. */
bool cpucc_map_in_place(const struct lane *l, const void *map)
{
    if ((uintptr_t)map - (uintptr_t)l->stack >= cpucc_stack_bytes)
        return true;
    for (int i = 0; i < l->grid_constant_count; i++)
        if ((uintptr_t)map - l->grid_constant[i].start < l->grid_constant[i].bytes)
            return true;
    return l->grid_constant_count == MAX_GRID_CONSTANTS; /* more parameters than were noted */
}
