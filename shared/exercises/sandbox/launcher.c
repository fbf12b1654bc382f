/*
 * The launcher of a check: a process that runs the submission's host code and holds neither matrices
 * nor counters. To launch a kernel it sends the device a message. See protocol.h.
 */
#define _GNU_SOURCE
#include "confine.h"
#include "protocol.h"
#include "../../cpucc/api/api.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct exercise_call { /* as in exercise.h */
    const void *in;
    void *out;
    int rows, cols, count;
};
extern void exercise_launch(const struct exercise_call *call) __attribute__((weak));
extern const int exercise_elements[2] __attribute__((weak));
/* Initialisers of the file's variables, and clang's function that registers its kernels. */
typedef void initialiser(int, char **, char **);
extern initialiser *__start_exercise_inits[] __attribute__((weak)),
    *__stop_exercise_inits[] __attribute__((weak));
cudaError_t cudaGetLastError(void);
const char *cudaGetErrorString(cudaError_t e);
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags);

enum { MOST_KERNELS = 1 << 16 };
static struct kernel *kernels;
static int kernel_count;
static struct {
    const void *stub;
    const char *name;
} stubs[MOST_KERNELS];
static int stub_count;
static struct call_message call_of_judge;
static cudaStream_t stream_of_call;
static int launches; /* of this call */

static _Noreturn void end(int status)
{
    fflush(stdout);
    _exit(status);
}

/* ---- functions that clang's host code calls ---- */

void **__cudaRegisterFatBinary(void *b)
{
    (void)b;
    static void *unit;
    return &unit;
}
void __cudaRegisterFatBinaryEnd(void **unit) { (void)unit; }
void __cudaUnregisterFatBinary(void **unit) { (void)unit; }

int __cudaRegisterFunction(void **unit, const void *stub, char *device_name, const char *name,
                           int limit, void *tid, void *bid, void *block, void *grid, int *warp)
{
    (void)unit, (void)device_name, (void)limit, (void)tid, (void)bid, (void)block, (void)grid,
        (void)warp;
    if (stub_count == MOST_KERNELS)
        end(1);
    stubs[stub_count].stub = stub;
    stubs[stub_count++].name = name;
    return 0;
}

void __cudaRegisterVar(void **unit, const void *shadow, char *device_name, const char *name,
                       int external, size_t bytes, int constant, int global)
{
    (void)unit, (void)shadow, (void)device_name, (void)name, (void)external, (void)bytes,
        (void)constant, (void)global;
}

static struct pushed {
    index3 grid, block;
    size_t shared;
    cudaStream_t stream;
} pushed[64];
static int push_count;

unsigned __cudaPushCallConfiguration(index3 grid, index3 block, size_t shared, cudaStream_t stream)
{
    if (push_count < 64)
        pushed[push_count++] = (struct pushed){grid, block, shared, stream};
    return 0;
}

unsigned __cudaPopCallConfiguration(index3 *grid, index3 *block, size_t *shared,
                                    cudaStream_t *stream)
{
    if (!push_count) {
        fprintf(stderr,
                "cpucc: a kernel is called like a function, without <<<blocks, threads>>>\n");
        *grid = (index3){0, 0, 0}; /* which no launch may have */
        return 1;
    }
    const struct pushed *p = &pushed[--push_count];
    *grid = p->grid, *block = p->block, *shared = p->shared, *stream = p->stream;
    return 0;
}

static const char *name_of(const void *stub)
{
    for (int i = 0; i < stub_count; i++)
        if (stubs[i].stub == stub)
            return stubs[i].name;
    return NULL;
}

/* Sends a message and returns the device's answer as a CUDA error. */
static cudaError_t ask(enum message_kind kind, const void *message, size_t bytes)
{
    struct header h;
    int32_t error = 0;
    if (!send_message(PEER, kind, message, bytes) || !receive_all(PEER, &h, sizeof h) ||
        h.bytes != sizeof error || !receive_all(PEER, &error, sizeof error))
        end(1);
    return error ? cpucc_error((cudaError_t)error) : cudaSuccess;
}

/* The device runs kernels in order, so a second stream would hide that nothing orders them. */
static cudaError_t check_stream(cudaStream_t stream)
{
    unsigned flags;
    cudaError_t e = cudaStreamGetFlags(stream, &flags);
    if (e)
        return e;
    if (launches++ && stream != stream_of_call) {
        fprintf(stderr, "cpucc: all kernels of an exercise are launched into one stream\n");
        return cpucc_error(cudaErrorNotSupported);
    }
    stream_of_call = stream;
    return cudaSuccess;
}

static cudaError_t launch(const void *stub, index3 grid, index3 block, index3 cluster,
                          void **arguments, size_t shared, cudaStream_t stream, int cooperative)
{
    cudaError_t e = check_stream(stream);
    if (e)
        return e;
    static struct {
        struct launch_message m;
        char arguments[ARGUMENT_BYTES];
    } message;
    const char *name = name_of(stub);
    const struct kernel *k = NULL;
    for (int i = 0; i < kernel_count && name; i++)
        if (!strcmp(kernels[i].name, name))
            k = &kernels[i];
    if (!k)
        return cpucc_error(cudaErrorInvalidDeviceFunction);
    memset(&message, 0, sizeof message);
    struct launch_message *m = &message.m;
    strcpy(m->name, k->name);
    m->grid[0] = grid.x, m->grid[1] = grid.y, m->grid[2] = grid.z;
    m->block[0] = block.x, m->block[1] = block.y, m->block[2] = block.z;
    m->cluster[0] = cluster.x, m->cluster[1] = cluster.y, m->cluster[2] = cluster.z;
    m->cooperative = (uint32_t)cooperative, m->shared = shared;
    size_t at = 0;
    for (int i = 0; k->sizes[i]; i++) {
        size_t size = k->sizes[i];
        at = (at + 63) / 64 * 64;
        if (at + size > ARGUMENT_BYTES)
            return cpucc_error(cudaErrorInvalidValue);
        memcpy(message.arguments + at, arguments[i], size);
        at += size;
    }
    return ask(MESSAGE_LAUNCH, &message, sizeof message.m + at);
}

cudaError_t cudaLaunchKernel(const void *stub, index3 grid, index3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    return launch(stub, grid, block, (index3){1, 1, 1}, arguments, shared, stream, 0);
}

cudaError_t cudaLaunchCooperativeKernel(const void *stub, index3 grid, index3 block,
                                        void **arguments, size_t shared, cudaStream_t stream)
{
    return launch(stub, grid, block, (index3){1, 1, 1}, arguments, shared, stream, 1);
}

/* As cudaLaunchConfig_t in cpucc_host.h. */
struct launch_config {
    index3 grid, block;
    size_t shared;
    cudaStream_t stream;
    cudaLaunchAttribute *attribute;
    unsigned attributes;
};

cudaError_t cudaLaunchKernelExC(const struct launch_config *how, const void *stub, void **arguments)
{
    index3 cluster = {1, 1, 1};
    int cooperative = 0;
    for (unsigned i = 0; i < how->attributes; i++) {
        const cudaLaunchAttribute *a = &how->attribute[i];
        if ((unsigned)a->id > cudaLaunchAttributeNvlinkUtilCentricScheduling)
            return cpucc_error(cudaErrorInvalidValue);
        if (a->id == cudaLaunchAttributeCooperative)
            cooperative = a->val.cooperative;
        if (a->id == cudaLaunchAttributeClusterDimension)
            cluster = (index3){a->val.clusterDim.x, a->val.clusterDim.y, a->val.clusterDim.z};
        if (launches && a->id == cudaLaunchAttributeProgrammaticStreamSerialization &&
            a->val
                .programmaticStreamSerializationAllowed) { /* here it would hide that nothing waits */
            fprintf(stderr,
                    "cpucc: a kernel of an exercise may not start before the one before it ends\n");
            return cpucc_error(cudaErrorNotSupported);
        }
    }
    return launch(stub, how->grid, how->block, cluster, arguments, how->shared, how->stream,
                  cooperative);
}

cudaError_t cpucc_set_function(const void *stub, cudaFuncAttribute attribute, int value)
{
    static struct attribute_message m;
    const char *name = name_of(stub);
    if (!name || strlen(name) >= sizeof m.name)
        return cpucc_error(cudaErrorInvalidDeviceFunction);
    memset(&m, 0, sizeof m);
    strcpy(m.name, name);
    m.attribute = (int32_t)attribute, m.value = value;
    return ask(MESSAGE_ATTRIBUTE, &m, sizeof m);
}

/* The linked parts of the run time refer to these functions, but nothing calls them. */
cudaError_t cpucc_symbol(const void *shadow, void **address)
{
    (void)shadow;
    *address = NULL;
    return cpucc_error(cudaErrorInvalidSymbol);
}
void cpucc_check_call(const char *function) { (void)function; }

/* ---- functions of the C and C++ libraries ---- */

/* The C library's would send a signal, which the confinement refuses. */
void abort(void) { end(LAUNCHER_ABORTED); }

void __assert_fail(const char *assertion, const char *file, unsigned line, const char *function)
{
    (void)file, (void)function;
    fprintf(stderr, "cpucc: line %u: assertion failed: %s\n", line, assertion);
    abort();
}

/* What <iostream> calls at start-up: nothing here has a stream of C++. */
void _ZNSt8ios_base4InitC1Ev(void *p) { (void)p; }
void _ZNSt8ios_base4InitD1Ev(void *p) { (void)p; }
void _ZSt21ios_base_library_initv(void) {}

/* ---- the judge ---- */

/* Handles a crash: if the host code touched a matrix, tells the judge; ends the process in any case. */
static void on_crash(int number, siginfo_t *info, void *context)
{
    (void)context;
    uintptr_t a = (uintptr_t)info->si_addr;
    if (a - call_of_judge.in < call_of_judge.in_bytes ||
        a - call_of_judge.out < call_of_judge.out_bytes) {
        send_message(JUDGE, MESSAGE_HOST_ACCESS, NULL, 0);
        end(8);
    }
    signal(number, SIG_DFL);
}

static void catch_crashes(void)
{
    static char stack[1 << 14];
    stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction crash = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&alternative, NULL);
    sigaction(SIGSEGV, &crash, NULL);
    sigaction(SIGBUS, &crash, NULL);
}

/* Receives the names and parameters of all kernels from the device. */
static void receive_kernels(void)
{
    struct header h;
    do {
        kernels = realloc(kernels, sizeof *kernels * (size_t)(kernel_count + 1));
        if (!kernels || !receive_all(PEER, &h, sizeof h) || h.bytes != sizeof *kernels ||
            !receive_all(PEER, &kernels[kernel_count], sizeof *kernels))
            end(1);
    } while (kernels[kernel_count++].name[0]);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 1 << 12);
    cpucc_default_report("off");
    receive_kernels();
    catch_crashes();
    const char *refused = confine();
    if (refused) {
        send_message(JUDGE, MESSAGE_REFUSED, refused, strlen(refused));
        return 9;
    }
    send_message(JUDGE, MESSAGE_READY, NULL, 0);
    initialiser **next =
        __start_exercise_inits; /* run in the first call, which says so if they end the process */
    struct header h;
    while (receive_all(JUDGE, &h, sizeof h) && h.kind == MESSAGE_CALL &&
           h.bytes == sizeof call_of_judge &&
           receive_all(JUDGE, &call_of_judge, sizeof call_of_judge)) {
        struct exercise_call call = {(const void *)(uintptr_t)call_of_judge.in,
                                     (void *)(uintptr_t)call_of_judge.out, call_of_judge.rows,
                                     call_of_judge.cols, call_of_judge.count};
        launches = 0;
        for (; next < __stop_exercise_inits; next++)
            if (*next)
                (*next)(0, NULL, NULL);
        if (exercise_launch)
            exercise_launch(&call);
        fflush(stdout);
        struct return_message r = {.error = cudaGetLastError()};
        if (exercise_elements)
            memcpy(r.element_bytes, exercise_elements, sizeof r.element_bytes);
        snprintf(r.text, sizeof r.text, "%s", cudaGetErrorString((cudaError_t)r.error));
        send_message(JUDGE, MESSAGE_RETURNED, &r, sizeof r);
    }
    end(0);
}
