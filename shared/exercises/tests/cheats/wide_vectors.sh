# Accesses that are wider than any of a GPU, and so are not hooked.
refused 'no instruction of a GPU makes|is not aligned|reaches outside' <<<"$(solution | sed '/^#include/a\
typedef float wide __attribute__((ext_vector_type(8), aligned(4)));' |
    sed 's/^    if (row < rows/    if (threadIdx.x == 0 \&\& threadIdx.y == 0) *(wide *)out = *(const wide *)in;\n&/')"
