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
/* Whether each channel has 8, 16 or 32 bits, or, after the first, none. */
static inline bool is_format(cudaChannelFormatDesc f)
{
    const int bits[] = {f.x, f.y, f.z, f.w};
    for (int i = 0; i < 4; i++)
        if (bits[i] != 8 && bits[i] != 16 && bits[i] != 32 && (bits[i] || !i))
            return false;
    return true;
}
static inline size_t or_one(size_t n) { return n ? n : 1; }

#endif
