/*
 * Implements the calls that clang puts into the host's half of a program: registration of kernels
 * and device variables, and launches. The device's half has a table of its kernels and variables
 * under the name of their translation unit (kernels.c). The host's half registers, under the same
 * name, the address of each kernel's stub and each variable's shadow.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "api.h"

struct host_part {
    uintptr_t address; /* of the stub or shadow that the host's code uses */
    const struct device_part *device;
};

static struct table table;

/* ---- the host's half ---- */

static const struct host_part *add_host(const char *unit, const char *name, const void *address)
{
    struct host_part *h = cpucc_find_or_add(&table, sizeof *h, (uintptr_t)address);
    for (const struct device_part *p = __start_cpucc_parts; p < __stop_cpucc_parts; p++)
        if (!strcmp(p->name, name) && !strcmp(p->unit, unit)) {
            h->device = p;
            break;
        }
    return h;
}

static const struct host_part *find(const void *address)
{
    const struct host_part *h = address ? cpucc_find(&table, sizeof *h, (uintptr_t)address) : NULL;
    return h && h->device ? h : NULL;
}

/* The host's address of a __managed__ variable; both sides use the variable there. */
void *cpucc_managed(void *device)
{
    static struct table known;
    struct managed {
        uintptr_t device, host;
    } *m = cpucc_find_or_add(&known, sizeof *m, (uintptr_t)device);
    if (!m->host) {
        m->host = (uintptr_t)device;
        EACH_RECORD(const struct host_part, h, table)
            if (h->device && h->device->address == device)
                m->host = h->address;
    }
    return (void *)m->host;
}

/* In place of the device's code, cpucc lets clang pass the name of the translation unit. */
struct fat_binary {
    int magic, version;
    char *unit;
    void *unused;
};

void **__cudaRegisterFatBinary(struct fat_binary *b) { return (void **)b->unit; }
void __cudaRegisterFatBinaryEnd(void **unit) { (void)unit; }
void __cudaUnregisterFatBinary(void **unit) { (void)unit; }

int __cudaRegisterFunction(void **unit, const void *stub, char *device_name, const char *name,
                           int limit, void *tid, void *bid, void *block, void *grid, int *warp)
{
    (void)device_name, (void)limit, (void)tid, (void)bid, (void)block, (void)grid, (void)warp;
    add_host((const char *)unit, name, stub);
    return 0;
}

void __cudaRegisterVar(void **unit, const void *shadow, char *device_name, const char *name,
                       int external, size_t bytes, int constant, int global)
{
    (void)device_name, (void)external, (void)constant, (void)global;
    const struct host_part *h = add_host((const char *)unit, name, shadow);
    if (h->device && !h->device->readable && h->device->cluster) { /* __managed__ */
        memcpy((void *)(uintptr_t)shadow, h->device->address, bytes);
        cpucc_register(shadow, bytes);
        cpucc_note_managed(h->device, shadow);
    }
}

/* Sets *address to the device variable that the shadow stands for. */
cudaError_t cpucc_symbol(const void *shadow, void **address)
{
    const struct host_part *h = find(shadow);
    *address = h ? h->device->address : NULL;
    return h ? cudaSuccess : cpucc_error(cudaErrorInvalidSymbol);
}

/* ---- calls through pointers ---- */

extern const void *const __start_cpucc_functions[] __attribute__((weak)),
    *const __stop_cpucc_functions[] __attribute__((weak)); /* that pointers may have */

static bool is_device_function(const void *function)
{
    static const void *latest[64]; /* hashed by address */
    const void **known = &latest[(uintptr_t)function / 16 % 64];
    for (const void *const *f = __start_cpucc_functions;
         *known != function && f < __stop_cpucc_functions; f++)
        if (*f == function)
            *known = function;
    return function && *known == function;
}

/* Called before device code calls through a pointer: a target that is no device function is a fault. */
void cpucc_check_call(const void *function)
{
    if (!cpucc_current || is_device_function(function))
        return;
    END_LAUNCH(cudaErrorIllegalAddress, cpucc_current, SITE, OUT_OF_BOUNDS,
               "a call of %p, which is no function of the device", function);
}

/* ---- launches ---- */

static __thread struct pushed {
    index3 grid, block;
    size_t shared;
    cudaStream_t stream;
    uintptr_t pc; /* of the launch in the program */
} * pushed;
static __thread int push_count;
static __thread uintptr_t launched_at; /* of a launch by <<<>>>, which returns no error; else 0 */

/* The first refused launch by <<<>>> since the program last asked for errors; pc 0: none. */
static struct {
    uintptr_t pc;
    cudaError_t error;
    const char *name;
} refused;

void cpucc_launch_checked(void) { refused.pc = 0; }

void cpucc_say_unchecked_launch(void)
{
    if (!refused.pc)
        return;
    cpucc_fault(NULL, refused.pc, LAUNCH_REFUSED, "kernel %s did not run: %s", refused.name,
                cudaGetErrorName(refused.error));
    cpucc_print_faults();
}

unsigned __cudaPushCallConfiguration(index3 grid, index3 block, size_t shared, cudaStream_t stream)
{
    *ADD_TO(pushed, push_count) =
        (struct pushed){grid, block, shared, stream, (uintptr_t)__builtin_return_address(0)};
    return 0;
}

unsigned __cudaPopCallConfiguration(index3 *grid, index3 *block, size_t *shared,
                                    cudaStream_t *stream)
{
    if (!push_count)
        return 1;
    const struct pushed *p = &pushed[--push_count];
    launched_at = p->pc;
    *grid = p->grid, *block = p->block, *shared = p->shared, *stream = p->stream;
    return 0;
}

/* Whether the stream belongs to another device than the active one. */
static bool is_elsewhere(const void *stream)
{
    int device = cpucc_active_device;
    if (cpucc_device_count > 1 && cpucc_stream_traits)
        cpucc_stream_traits(stream, &device);
    return device != cpucc_active_device;
}

cudaError_t cpucc_declared(const struct device_part *kernel, cpucc_config *c)
{
    uint64_t threads = (uint64_t)c->block.x * c->block.y * c->block.z;
    if (kernel->cluster)
        sscanf(kernel->cluster, "%u,%u,%u", &c->cluster.x, &c->cluster.y, &c->cluster.z);
    if (!kernel->bytes || threads <= kernel->bytes)
        return cudaSuccess;
    fprintf(stderr, "cpucc: __launch_bounds__ allow the kernel %s %d threads per block, not %d\n",
            kernel->readable, (int)kernel->bytes, (int)threads);
    return cpucc_error(cudaErrorInvalidValue);
}

cudaError_t cpucc_run(const cpucc_config *config, void (*body)(void *), void *arguments,
                      size_t bytes)
{
    cudaError_t error =
        is_elsewhere(config->stream) ? cudaErrorInvalidResourceHandle : cpucc_check_launch(config);
    if (error)
        return cpucc_error(error);
    cpucc_device_start();
    cpucc_signals_start();
    return cpucc_error(cpucc_execute(config, body, arguments, bytes));
}

struct kernel_call {
    void (*caller)(void **);
    void **arguments;
};

static void run(void *p)
{
    const struct kernel_call *c = p;
    c->caller(c->arguments);
}

cudaError_t cpucc_launch(const void *stub, cpucc_config config, void **arguments)
{
    const struct host_part *h = find(stub);
    if (!h || !h->device->readable)
        return cpucc_error(cudaErrorInvalidDeviceFunction);
    for (int i = 0; h->device->parameters && h->device->parameters[i]; i++)
        NEED(arguments && arguments[i]);
    struct kernel_call c = {(void (*)(void **))h->device->address, arguments};
    config.name = h->device->readable;
    config.function = stub;
    bool by_chevrons = launched_at != 0;
    config.pc = by_chevrons ? launched_at : cpucc_user_pc((uintptr_t)__builtin_return_address(0));
    launched_at = 0;
    cpucc_open_memory();
    uint32_t first = cpucc_next_serial;
    cpucc_was_launched = false;
    cpucc_note_arguments(h->device, arguments);
    cudaError_t error = cpucc_declared(h->device, &config);
    if (!error)
        error = cpucc_run(&config, run, &c, sizeof c);
    if (cpucc_was_launched)
        cpucc_pending_kernel(config.stream, first, cpucc_next_serial - 1, config.name, config.pc);
    else if (by_chevrons && !refused.pc)
        refused.pc = config.pc, refused.error = error, refused.name = config.name;
    cpucc_close_memory();
    return error;
}

const uint64_t *cpucc_parameter_bytes(const void *stub)
{
    const struct host_part *h = find(stub);
    return h ? h->device->parameters : NULL;
}

static cudaError_t launch(const void *stub, cpucc_config config, void **arguments)
{
    struct node_work work = {.type = cudaGraphNodeTypeKernel, .kernel = {stub, config, arguments}};
    NEED_STREAM(config.stream);
    if (!cpucc_capturing(config.stream) || is_elsewhere(config.stream))
        return cpucc_launch(stub, config, arguments);
    launched_at = 0;
    return cpucc_capture(config.stream, &work);
}

cudaError_t cudaLaunchKernel(const void *stub, index3 grid, index3 block, void **arguments,
                             size_t shared, cudaStream_t stream)
{
    return launch(stub, (cpucc_config){"", grid, block, {1, 1, 1}, shared, stream, 0, 0, 0},
                  arguments);
}

cudaError_t cudaLaunchCooperativeKernel(const void *stub, index3 grid, index3 block,
                                        void **arguments, size_t shared, cudaStream_t stream)
{
    return launch(stub, (cpucc_config){"", grid, block, {1, 1, 1}, shared, stream, 1, 0, 0},
                  arguments);
}

/* Has the layout of cudaLaunchConfig_t in cpucc_host.h. */
struct launch_config {
    index3 grid, block;
    size_t shared;
    cudaStream_t stream;
    cudaLaunchAttribute *attribute;
    unsigned attributes;
};

cudaError_t cudaLaunchKernelExC(const struct launch_config *how, const void *stub, void **arguments)
{
    NEED(how && (how->attribute || !how->attributes));
    cpucc_config c = {"", how->grid, how->block, {1, 1, 1}, how->shared, how->stream, 0, 0, 0};
    for (unsigned i = 0; i < how->attributes; i++) {
        const cudaLaunchAttribute *a = &how->attribute[i];
        NEED((unsigned)a->id <= cudaLaunchAttributeNvlinkUtilCentricScheduling);
        if (a->id == cudaLaunchAttributeCooperative)
            c.cooperative = a->val.cooperative;
        if (a->id == cudaLaunchAttributeClusterDimension)
            c.cluster = (index3){a->val.clusterDim.x, a->val.clusterDim.y, a->val.clusterDim.z};
    }
    return launch(stub, c, arguments);
}
