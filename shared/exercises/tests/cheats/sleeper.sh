# Waits for ever without using the processor.
export EXERCISE_SECONDS=2
refused 'waited for 1 seconds|asked the system' <<<"$(solution | sed '/^#include/a\
static long call(long n, long a, long b, long c) { long r; asm volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory"); return r; }' |
    sed 's/^    dim3 threads/    for (;;) { long t[2] = {100, 0}; call(35, (long)t, 0, 0); }\n&/')"
