/* Tensor maps, as cpucc stores them in their 128 opaque bytes, and the pieces of a box. */
#ifndef CPUCC_TENSOR_H
#define CPUCC_TENSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tensor_map {
    uint32_t magic;
    uint8_t rank, element_bytes, swizzle, unused;
    uint64_t address;
    uint64_t dim[5];
    uint64_t stride[4]; /* in bytes, of dimensions 1 to 4 */
    uint16_t box[5];    /* in elements, like dim */
};

/* Up to 16 contiguous bytes of a copy. global == 0: outside the tensor; a load writes zeros. */
struct piece {
    uintptr_t shared, global;
    uint32_t bytes;
};

/* Whether cuTensorMapEncodeTiled made these bytes. */
bool cpucc_is_tensor_map(const void *map);

/* Returns the *count pieces of the box at coordinates `at`, whose shared memory begins at `shared`.
 * The caller frees the array. */
struct piece *cpucc_box_pieces(const struct tensor_map *map, const int *at, uintptr_t shared,
                               int *count);

/* Returns how many aligned units of so many bytes the pieces touch in the memory of another device, and
 * the fewest that could hold their bytes. */
struct traffic_cost cpucc_peer_units(const struct piece *piece, int count, uint64_t unit);

#endif