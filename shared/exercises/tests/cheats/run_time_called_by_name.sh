# A function of cpucc's run time that kernels are not meant to call.
refused 'a kernel calls cpucc_asm, which an exercise cannot use' <<<"$(exercise | sed '/^#include/a\
extern "C" __device__ void cpucc_asm(const void *, void *, void *);' |
    sed 's/^    if (row < rows/    cpucc_asm(in, out, out);\n&/')"
