# A variable of the GPU that no GPU has room for.
refused 'static memory|could not be linked|is too much|does not compile' <<<"$(solution | sed '/^#include/a\
__device__ char huge[1ull << 40];' | sed 's/^    if (row < rows/    huge[(size_t)row << 30] = 1;\n&/')"
