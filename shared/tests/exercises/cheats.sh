# Sourced by run.sh: what must not pass, whatever it does, and what must not hang. All of these hand
# in something for naive4_stores.
name=naive4_stores
cheat() { add "$name" "cheat: $1" unsolved "$2"; }

# The solution with more in its launch function, before or after the launch.
launching() { solution | awk -v before="$1" -v after="$2" '
    /^static void launch/ {inside = 1}
    inside && /^{/ {print; print before; next}
    inside && /^}/ {print after; inside = 0}
    {print}'; }
without_launch() { launching "$1" "" | sed '/^ *transpose<<</d'; }
above() { solution | sed "/^#include/a\\
$1"; }

cheat 'an empty file' 'launches nothing: its last line must be EXERCISE' </dev/null
cheat 'no launch' 'no kernel was launched|nobody wrote' <<<"$(without_launch '')"
cheat 'exit 0' 'must return, not exit' <<<"$(without_launch 'exit(0);')"
cheat 'exit 0 after the launch' 'must return, not exit' <<<"$(launching '' 'exit(0);')"
cheat '_exit' 'calls _exit, which an exercise cannot use' <<<"$(launching '' '_exit(0);')"
cheat 'a loop on the host' 'the host code touches the matrices' <<<"$(without_launch \
    'for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++) out[(size_t)j * rows + i] = in[(size_t)i * cols + j];')"
cheat 'a loop on the host after a launch' 'the host code touches the matrices' <<<"$(launching '' \
    'for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++) out[(size_t)j * rows + i] = in[(size_t)i * cols + j];')"
cheat 'memcpy on the host' 'the host code touches the matrices' <<<"$(without_launch 'memcpy(out, in, 4);')"
cheat 'copies by the runtime' 'calls cudaMemcpy2D, which an exercise cannot use' <<<"$(without_launch \
    'for (int j = 0; j < cols; j++) cudaMemcpy2D(out + (size_t)j * rows, 4, in + j, 4 * cols, 4, rows, cudaMemcpyDeviceToDevice);')"
cheat 'an edited goal' 'the goal lines at the top of the file were changed; the original ones count' \
    <<<"$(exercise | sed 's/work_per_request <= 4/work_per_request <= 32/')"
cheat 'an edited operation' 'elements of the output are wrong' \
    <<<"$(exercise | sed 's/^\/\/ operation: transpose/\/\/ operation: copy/; s/out\[.*\] =/out[(size_t)row * cols + col] =/')"
cheat 'another main' 'elements of the output are wrong|no kernel was launched' \
    <<<"$(without_launch ''; echo 'int main(void) { return 0; }')"
cheat 'another main under the macro' 'launches nothing' <<<"$(solution | sed 's/^EXERCISE.*/int main(void) { return 0; }/')"
cheat 'results printed' 'nobody wrote|no kernel was launched' <<<"$(without_launch \
    'printf("0\\tcount\\tglobal_store\\t1\\t1\\t1\\n0\\tend\\n"); fprintf(stderr, "all verified\\n");')"
cheat 'results written' 'calls .*(write|dprintf).*, which an exercise cannot use' <<<"$(without_launch 'dprintf(3, "end\\n"); write(3, "end\\n", 4);')"
cheat 'code at start-up' 'nobody wrote|no kernel was launched|ended before' <<<"$(without_launch '' |
    sed '/^#include/a\
__attribute__((constructor)) static void early(void) { exit(0); }')"
cheat 'an atexit handler' 'calls .*atexit.*, which an exercise cannot use' <<<"$(above 'static void late(void) { }' |
    sed 's/^    dim3 threads/    atexit(late);\n&/')"
cheat 'counting switched off' 'calls .*cpucc_record.*, which' <<<"$(launching 'cpucc_record(0);' '')"
cheat 'counting switched off under another name' 'does not compile|calls .*cpucc_re.*, which' <<<"$(launching 'off(0);' '' |
    sed '/^#include/a\
extern "C" int off(int) __asm__("cpucc_record");')"
cheat 'the counters replaced' 'the stores of line [0-9]* touch 32 sectors' <<<"$(exercise | sed '/^#include/a\
extern "C" __attribute__((used)) void cpucc_count(uintptr_t, int, uint64_t, uint64_t) { }')"
cheat 'accesses that are not counted' "switches the compiler's instrumentation off" \
    <<<"$(exercise | sed 's/^__global__ void/__attribute__((no_sanitize("thread"))) __global__ void/')"
cheat 'the same under a macro' "switches the compiler's instrumentation off" \
    <<<"$(exercise | sed 's/^__global__ void/__attribute__((GLUE(no_san, itize)("thread"))) __global__ void/; /^#include/a\
#define GLUE(a, b) a##b')"
cheat 'the same by pragma' "switches the compiler's instrumentation off|does not compile" \
    <<<"$(exercise | sed '/^#include/a\
#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)'; echo '#pragma clang attribute pop')"
cheat 'stores as atomics' 'too little traffic was counted' \
    <<<"$(exercise | sed 's/out\[(size_t)col \* rows + row\] = \(.*\);/atomicExch(\&out[(size_t)col * rows + row], \1);/')"
cheat 'inline assembly' 'does not compile' <<<"$(launching 'asm volatile("nop");' '')"
cheat 'a file read' 'calls fopen|calls .*fopen.*, which' <<<"$(launching 'FILE *f = fopen("/etc/passwd", "r"); if (f) puts("read");' '')"
cheat 'a program started' 'calls system, which' <<<"$(launching 'if (system("true")) return;' '')"
cheat "another's solution" 'the file includes .*; only headers of the workbook' \
    <<<"#include \"$(step_folder)/solutions/naive4_stores.cu\""
cheat 'the expected values, worked out' 'elements of the output are wrong' <<<"$(solution |
    sed 's/= in\[.*\];/= __uint_as_float(input_bits((uint64_t)row * cols + col));/')"
cheat 'the guards unprotected' 'calls mprotect, which' <<<"$(launching 'mprotect((void *)out, 4096, 3);' '' |
    sed '/^#include/a\
#include <sys\/mman.h>')"

# What must be stopped.
EXERCISE_SECONDS=3
export EXERCISE_SECONDS
cheat 'an endless loop on the host' 'still running after 3 seconds' <<<"$(launching 'for (volatile int i = 0; i < 2; i = 0) { }' '')"
cheat 'an endless loop in the kernel' 'still running after 3 seconds|waits for something that never happens' \
    <<<"$(solution | sed 's/^    if (row < rows/    for (volatile int i = 0; i < 2; i = 0) { }\n&/')"
cheat 'a thread that waits for another' 'waits for something that never happens|still running after' \
    <<<"$(solution | sed 's/^    if (row < rows/    __shared__ volatile int flag;\n    flag = 0;\n    while (flag == 0) { }\n&/; s/shared_bytes == 0/x/')"
cheat 'a crash' 'it crashed' <<<"$(launching '*(volatile int *)8 = 1;' '')"
cheat 'a call of itself without end' 'it crashed' <<<"$(above 'static int deep(volatile int n) { return n ? deep(n + 1) + n : 0; }' |
    sed 's/^    dim3 threads/    if (deep(1)) return;\n&/')"
cheat 'a wild pointer in the kernel' 'reaches outside an array' <<<"$(solution | sed 's/out\[(size_t)col/out[(size_t)1 << 40 | col/')"
cheat 'memory' 'bytes of static memory' <<<"$(above 'static char much[1ull << 32];' |
    sed 's/^    dim3 threads/    for (size_t i = 0; i < sizeof much; i += 4096) ((volatile char *)much)[i] = 1;\n&/')"
cheat 'memory on the stack' 'it crashed|more than 1 GB' <<<"$(launching \
    'volatile char much[1u << 30]; for (size_t i = 0; i < sizeof much; i += 4096) much[i] = 1;' '')"
cheat 'allocated memory' 'calls (free, )?malloc, which|calls calloc, which' <<<"$(launching 'for (;;) memset(malloc(1 << 20), 1, 1 << 20);' '')"
cheat 'a flood of output' 'printed more than 60000 characters' <<<"$(launching 'for (;;) puts("out");' '')"
cheat 'a flood of output from the kernel' 'printed more than 60000 characters' \
    <<<"$(solution | sed 's/^    if (row < rows/    printf("thread %d says hello to everyone\\n", row);\n&/')"
cheat 'no C at all' 'it does not compile: line 1: ' <<<'hello'
cheat 'a header that is not there' "it does not compile: line 1: 'nothing.h' file not found" <<<'#include "nothing.h"'
cheat 'an endless include' 'it does not compile|compiling took' <<<"$(echo '#include __FILE__'; solution)"
cheat 'templates without end' 'it does not compile|compiling took' <<<"$(above 'template <int N> struct Deep { enum { n = Deep<N + 1>::n }; }; int deep = Deep<0>::n;')"
cheat 'binary rubbish' 'it does not compile|launches nothing' < <(head -c 5000 /dev/urandom)

start=$(date +%s)
run_queue
echo "cheats and runaways checked in $(($(date +%s) - start)) seconds"
unset EXERCISE_SECONDS
