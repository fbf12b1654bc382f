# Assembly outside of functions, which the device's half would get too.
refused 'touch 32 sectors|assembly outside of functions|does not compile' <<<"$(exercise | sed '/^#include/a\
#ifdef __CUDA_ARCH__\
asm(".globl cpucc_asm");\
#endif')"
