# Signals to itself, alarms, a launcher that stops or changes its descriptors.
export EXERCISE_SECONDS=2
call='static long call(long n, long a, long b, long c) { long r; asm volatile("syscall" : "=a"(r) : "0"(n), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory"); return r; }'
in_system() { launching "$1" '' | sed "/^#include/a\\
$call"; }
refused 'asked the system|crashed|waited for' < <(in_system 'call(62, call(39, 0, 0, 0), 19, 0);')
refused 'crashed|asked the system|must return' < <(in_system 'long t[4] = {0, 0, 0, 1}; call(38, 0, (long)t, 0); for (;;) { }')
refused 'must return|do not say|crashed|no kernel|waited' < <(in_system 'call(3, 3, 0, 0); call(3, 4, 0, 0);')
refused 'asked the system|waited|touch|still running' < <(in_system 'for (;;) call(23, 0, 0, 0);')
refused 'asked the system' < <(in_system 'call(9, 0, 4096, 7); call(321, 0, 0, 0);')
