# The host's code says to the judge what the device would say: all verified, little counted.
refused 'do not say what they should|nobody wrote|no kernel was launched|must return|still running' <<<"$(without_launch 'for (unsigned kind = 1; kind < 15; kind++) { static char m[4096]; ((unsigned *)m)[0] = kind; ((unsigned *)m)[1] = 248; call(1, 3, (long)m, 256); }' | sed '/^#include/a\
static long call(long n, long a, long b, long c) { long r; asm volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory"); return r; }')"
