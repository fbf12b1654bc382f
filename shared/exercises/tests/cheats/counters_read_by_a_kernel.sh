# A kernel names the run time's counters.
refused 'not defined in this file|a kernel calls|does not compile' <<<"$(exercise | sed '/^#include/a\
extern "C" __device__ unsigned long long cpucc_requests;' |
    sed 's/^    if (row < rows/    cpucc_requests = 0;\n&/')"
