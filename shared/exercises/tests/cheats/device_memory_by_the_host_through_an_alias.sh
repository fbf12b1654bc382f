# The host maps memory where the matrices would be, and finds nothing there.
refused 'calls mmap|nobody wrote|touches the matrices|no kernel' <<<"$(without_launch 'call9(9, (long)out, 1 << 20, 3, 0x32, -1, 0); for (int i = 0; i < 100; i++) out[i] = 1;' | sed '/^#include/a\
static long call9(long n, long a, long b, long c, long d, long e, long f) { long r; register long r10 asm("r10") = d, r8 asm("r8") = e, r9 asm("r9") = f; asm volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9) : "rcx", "r11", "memory"); return r; }')"
