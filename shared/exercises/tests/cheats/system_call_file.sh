# A file opened by a system call of its own, which needs no library: nothing is learnt.
refused 'asked the system for something|touch 32 sectors' <<<"$(exercise | sed '/^#include/a\
static long call(long n, long a, long b, long c) { long r; asm volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory"); return r; }' |
    sed 's/^    dim3 threads/    if (call(2, (long)"\/etc\/passwd", 0, 0) >= 0) exit(0);\n&/')"
