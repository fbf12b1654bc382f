# The counters replaced.
refused 'the stores of line [0-9]* touch 32 sectors' <<<"$(exercise | sed '/^#include/a\
extern "C" __attribute__((used)) void cpucc_count(uintptr_t, int, uint64_t, uint64_t) { }')"
