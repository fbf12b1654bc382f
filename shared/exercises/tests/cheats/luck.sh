# What depends on luck: memory that nobody wrote, addresses of the matrices, clocks, an order of blocks.
refused 'memory that nobody has written' < <(solution | sed 's/^    if (row < rows/    __shared__ float old[1024];\n    float lucky = old[threadIdx.x];\n    if (lucky == 0 \&\& row > 9)\n        return;\n&/')
refused 'reads what another thread writes|memory that nobody has written|overwrites what' < <(exercise | sed '/^#include/a\
__device__ int turn;' | sed 's/^    if (row < rows/    if (turn++ % 2 \&\& row > 1000)\n        return;\n&/')
refused 'touch 32 sectors' < <(exercise | sed 's/^    if (row < rows/    if ((size_t)in % 4096 == 1 || clock64() == 77)\n        return;\n&/')
