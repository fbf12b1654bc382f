# A process started by a system call.
refused 'asked the system for something' <<<"$(solution | sed '/^#include/a\
static long call(long n, long a, long b, long c) { long r; asm volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory"); return r; }' |
    sed 's/^    dim3 threads/    call(57, 0, 0, 0);\n&/')"
