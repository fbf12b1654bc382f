# The output by atomics, and enough plain traffic of no use beside it.
refused 'atomic operations reach the matrices' <<<"$(exercise | sed '/^#include/a\
__global__ void junk(float *out, int n)\
{\
    int i = blockIdx.x * 1024 + threadIdx.x;\
    if (i < n)\
        out[i] = 0;\
}' | sed 's/out\[(size_t)col \* rows + row\] = \(.*\);/atomicExch(\&out[(size_t)col * rows + row], \1);/; s/^    transpose<<</    junk<<<tiles(rows * cols, 1024), 1024>>>(out, rows * cols);\n&/')"
