# Functions of the GPU named as those that the sandbox calls.
refused 'touch 32 sectors|cannot have' <<<"$(exercise | sed '/^#include/a\
extern "C" {\
__attribute__((used)) __device__ const char *confine(void) { return 0; }\
__attribute__((used)) __device__ int poll(void *, unsigned long, int) { return 1; }\
__attribute__((used)) __device__ int send_message(int, int, const void *, size_t) { return 1; }\
}')"
