# Garbage for the device.
refused 'must return|nobody wrote|no kernel was launched|still running|waited for|crashed|do not say' <<<"$(launching 'static char m[1 << 14]; for (int i = 0; i < (int)sizeof m; i++) m[i] = (char)(i * 37); call(1, 4, (long)m, sizeof m);' '' | sed '/^#include/a\
static long call(long n, long a, long b, long c) { long r; asm volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory"); return r; }')"
