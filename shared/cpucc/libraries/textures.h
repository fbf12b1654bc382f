/* Declares arrays for the files that make, copy and fetch from them. */
#ifndef CPUCC_TEXTURES_H
#define CPUCC_TEXTURES_H

#include "../api/api.h"

struct cudaArray {
    cudaChannelFormatDesc format;
    size_t width, height, depth; /* in elements; 0 for a missing dimension */
    size_t bytes;                /* per element */
    unsigned flags;
    char *data; /* rows without gaps */
};

struct cudaMipmappedArray {
    unsigned levels;
    struct cudaArray *level[16];
};

static inline size_t bytes_of(cudaChannelFormatDesc f)
{
    return (size_t)(f.x + f.y + f.z + f.w) / 8;
}
static inline size_t or_one(size_t n) { return n ? n : 1; }

#endif
