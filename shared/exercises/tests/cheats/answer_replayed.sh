# The output of an earlier run kept in device memory and given out again.
refused 'elements of the output are wrong|another thread|nobody wrote|too little traffic|nobody has written' <<<"$(exercise | sed '/^#include/a\
__device__ float kept[65536];\
__device__ int times;' |
    sed 's/^    if (row < rows/    if (times++ > 65536) { out[(size_t)col * rows + row] = kept[row]; return; }\n    kept[row] = in[0];\n&/')"
