# Another name for a function.
refused "another name for something|a name that is the run time's|does not compile" <<<"$(exercise | sed '/^#include/a\
extern "C" __device__ void mine(void *) { }\
extern "C" __device__ void __tsan_write4(void *) __attribute__((alias("mine")));')"
