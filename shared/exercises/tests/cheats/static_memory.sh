# Memory.
export EXERCISE_SECONDS=1
refused 'bytes of static memory' <<<"$(above 'static char much[1ull << 32];' |
    sed 's/^    dim3 threads/    for (size_t i = 0; i < sizeof much; i += 4096) ((volatile char *)much)[i] = 1;\n&/')"
