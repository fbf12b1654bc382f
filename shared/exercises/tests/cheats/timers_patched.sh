# Timers that always say nothing has passed; nothing is graded by time.
refused 'touch 32 sectors' <<<"$(exercise | sed '/^#include/a\
extern "C" cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t, cudaEvent_t) { *ms = 0; return cudaSuccess; }\
extern "C" int clock_gettime(clockid_t, struct timespec *) noexcept { return 0; }')"
