# The judge's names and CUDA's as macros; inline namespaces, weak functions and aliases that hide them.
refused 'touch 32 sectors|does not compile' <<<"$(exercise | sed 's/^EXERCISE.*//'; echo '#undef EXERCISE
#define EXERCISE(f) extern "C" void exercise_launch(const Call *c) { f((const float *)c->in, (float *)c->out, c->rows, c->cols); } extern "C" const int exercise_elements[2] = {0, 0};
EXERCISE(launch_transpose)')"
refused 'touch 32 sectors|does not compile' <<<"$(exercise | sed '1i\
#define exercise_call mine\
#define Call struct Hidden { const void *in; void *out; int rows, cols, count; }; typedef Hidden')"
refused 'touch 32 sectors|cannot have|a name that is the run time|does not compile' <<<"$(exercise | sed '/^#include/a\
inline namespace hidden { extern "C" __device__ __attribute__((weak)) void __tsan_write4(void *) { } }')"
refused 'touch 32 sectors|cannot have|does not compile' <<<"$(exercise | sed '/^#include/a\
extern "C" __device__ void nothing(void *) { }\
extern "C" __device__ void __tsan_write4(void *) __attribute__((alias("nothing")));')"
refused 'touch 32 sectors|cannot have|could not be linked|does not compile' <<<"$(exercise | sed '/^#include/a\
extern "C" __device__ __attribute__((used)) unsigned long atomics_of_mine[8] asm("cpucc_heap_atomics");\
extern "C" __device__ unsigned long atomics_of_mine[8] = {0};')"
refused 'touch 32 sectors|cannot have|reaches outside|does not compile|could not be linked' <<<"$(exercise | sed '/^#include/a\
extern "C" __device__ unsigned long cpucc_heap_atomics;' | sed 's/^    if (row < rows/    cpucc_heap_atomics = 0;\n&/')"
