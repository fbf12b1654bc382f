# The expected values, worked out as the judge does, with the seed of an exercise that is built alone.
refused 'elements of the output are wrong' <<<"$(solution | sed '/^#include/a\
__device__ float value(uint64_t place)\
{\
    uint64_t h = (2 * place + 1) * 0x9e3779b97f4a7c15ull;\
    h = (h ^ h >> 32) * 0xd6e8feb86659fd93ull;\
    return __uint_as_float(0x30000000u | (uint32_t)((h ^ h >> 32) >> 35));\
}' | sed 's/= in\[.*\];/= value((uint64_t)row * cols + col);/')"
