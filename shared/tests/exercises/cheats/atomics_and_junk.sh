# The output by atomics, and enough plain traffic of no use beside it.
refused 'atomic operations reach the matrices' <<<"$(exercise |
    sed 's/out\[(size_t)col \* rows + row\] = \(.*\);/{ float v = \1; ((volatile float *)out)[(size_t)row * cols + col] = v; __threadfence(); atomicExch(\&out[(size_t)col * rows + row], v); }/')"
