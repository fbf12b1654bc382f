# Texts that a compiler works at for ever, or in the memory of everybody.
export EXERCISE_SECONDS=1
stopped='it does not compile|compiling took|too much|static memory|cannot use|cannot have|shared memory'
refused "$stopped" < <(above 'constexpr int spin(int n) { int s = 0; for (;;) s += n; return s; } constexpr int value = spin(1);')
refused "$stopped" <<<"#include \"naive4_stores.cu\"
$(solution)"
refused "$stopped" <<<"$(solution | sed 's/^    if (row < rows/    __shared__ char huge[1u << 31];\n    huge[row] = 1;\n&/')"
refused "$stopped" <<<"$(above '#pragma clang __debug parser_crash')"
