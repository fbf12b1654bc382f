/* A tensor map as cpucc keeps it in the 128 opaque bytes, and the pieces that a box consists of. */
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
    uint64_t stride[4]; /* bytes, of dimensions 1 to 4 */
    uint16_t box[5];
};

/* Up to 16 contiguous bytes. global == 0: outside the tensor (zeros for a load). */
struct piece {
    uintptr_t shared, global;
    uint32_t bytes;
};

/* Whether these bytes are a tensor map that cuTensorMapEncodeTiled made. */
bool cpucc_is_tensor_map(const void *map);

/* Bytes of the map's box. */
uint32_t cpucc_box_bytes(const struct tensor_map *map);

/* The pieces of the box at the given coordinates in shared memory from `shared` on, in a fresh
 * array of *count. */
struct piece *cpucc_box_pieces(const struct tensor_map *map, const int *at, uintptr_t shared,
                               int *count);

#endif
