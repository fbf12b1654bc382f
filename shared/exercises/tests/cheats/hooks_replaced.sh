# The functions that are called before every access, replaced.
refused "a name that is the run time's|touch 32 sectors" <<<"$(exercise | sed '/^#include/a\
extern "C" __attribute__((used)) __device__ void __tsan_write4(void *) { }')"
