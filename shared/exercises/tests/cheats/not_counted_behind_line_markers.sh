# An attribute that leaves accesses alone, in what seems to be another file.
refused 'no instruction of a GPU makes' <<<"$(exercise | sed '/^#include/a\
#line 1 "cuda_runtime.h"' |
    sed 's/^__global__ void/__attribute__((disable_sanitizer_instrumentation)) __global__ void/')"
