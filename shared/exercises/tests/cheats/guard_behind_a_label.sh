# The function that guards every access, replaced under a label that becomes its name in machine code.
refused 'none of C' <<<"$(solution | sed '/^#include/a\
extern "C" __device__ __attribute__((used)) void mine(unsigned long, unsigned long, int) __asm__("\\01cpucc_seal_guard");\
extern "C" __device__ void mine(unsigned long, unsigned long, int) {}' |
    sed 's/^    if (row < rows/    *(volatile float *)(0x4141414000ull + row) = 1;\n&/')"
