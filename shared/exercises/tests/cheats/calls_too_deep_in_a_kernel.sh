# Calls of itself without end, in a kernel.
export EXERCISE_SECONDS=1
refused 'out of stack|too deeply|deep|crashed|still running' <<<"$(above '__device__ __attribute__((noinline)) int deep(volatile int n) { return n ? deep(n + 1) + n : 0; }' |
    sed 's/^    if (row < rows/    if (deep(rows)) return;\n&/')"
