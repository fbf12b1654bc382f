# Macros that grow until the compiler has no memory.
refused 'compiling took more than|does not compile' <<<"$(solution | sed '/^#include/a\
#define A(x) x x x x x x x x x x\
#define B(x) A(A(A(A(x))))\
#define C(x) B(B(x))\
int bomb = 0 C(+1);')"
