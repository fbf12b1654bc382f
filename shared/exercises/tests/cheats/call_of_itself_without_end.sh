# A call of itself without end.
export EXERCISE_SECONDS=1
refused 'it crashed' <<<"$(above 'static int deep(volatile int n) { return n ? deep(n + 1) + n : 0; }' |
    sed 's/^    dim3 threads/    if (deep(1)) return;\n&/')"
