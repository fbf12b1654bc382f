/*
 * The checker `host`: which memory the host's own code touches, and when.
 *
 * Device memory is closed to host code: while no kernel and no call of the run-time API runs, its
 * pages are protected, so that an access by the host raises a signal. The host may touch pinned and
 * managed memory, but not while the device may still use it. Until the host has synchronised with
 *
 *   a kernel              the host may not touch the words that the kernel wrote, nor write those
 *                         that the kernel read (by the records in shadow.c). Exception: a word
 *                         written by a volatile access, or by an atomic of a kernel with operations
 *                         of system scope, is a flag, and reading it synchronises
 *   an asynchronous copy  the host may not write the pinned source, nor touch the pinned target
 *
 * streams.c keeps the list of pending operations. The same signal handler reports stack overflows.
 */
#define _GNU_SOURCE
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include "checks.h"

/* ---- opening and closing memory ---- */

/* False if CPUCC_HOST_CHECKS=off, for programs that touch device memory on purpose. */
static bool guarded(void)
{
    static int known = -1;
    if (known < 0) {
        const char *how = getenv("CPUCC_HOST_CHECKS");
        known = !how || strcmp(how, "off") != 0;
        if (how && *how && known && strcmp(how, "on")) {
            fprintf(stderr, "CPUCC_HOST_CHECKS=%s: must be on or off\n", how);
            _exit(2);
        }
    }
    return known;
}

static char *device_closed,
    *host_closed; /* ends of the protected ranges; NULL: nothing is protected */

/* __managed__ variables have their own pages; this page follows them. */
static char behind_managed[4096] __attribute__((section("cpucc_managed"), aligned(4096), used));
extern char __start_cpucc_managed[];
static bool managed_closed;

static bool is_managed(uintptr_t a)
{
    return a >= (uintptr_t)__start_cpucc_managed && a < (uintptr_t)behind_managed;
}

static void protect(char *from, char *to, int how)
{
    to = (char *)(((uintptr_t)to + 4095) & ~(uintptr_t)4095);
    if (to > from)
        mprotect(from, (size_t)(to - from), how);
}

static void open_memory(void)
{
    if (device_closed)
        protect(cpucc_heap, device_closed, PROT_READ | PROT_WRITE);
    if (host_closed)
        protect(cpucc_heap_host, host_closed, PROT_READ | PROT_WRITE);
    device_closed = host_closed = NULL;
    if (managed_closed)
        protect(__start_cpucc_managed, behind_managed, PROT_READ | PROT_WRITE);
    managed_closed = false;
}

static void close_memory(void)
{
    int pending_count;
    if (!cpucc_heap || !guarded())
        return;
    device_closed = cpucc_device_next;
    protect(cpucc_heap, device_closed, PROT_NONE);
    cpucc_pending(&pending_count);
    if (pending_count && cpucc_host_next > cpucc_heap_host + (1 << 16)) {
        host_closed = cpucc_host_next;
        protect(cpucc_heap_host, host_closed, PROT_NONE);
    }
    if (pending_count && (uintptr_t)behind_managed > (uintptr_t)__start_cpucc_managed) {
        managed_closed = true;
        protect(__start_cpucc_managed, behind_managed, PROT_NONE);
    }
}

/* ---- the signal ---- */

/* Whether the access that raised the signal was a write. */
static bool writes(const void *context)
{
#if defined(__x86_64__)
    return ((const ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
    return context ? false : false; /* unknown: a read is the better guess */
#endif
}

static bool in_program(uintptr_t pc)
{
    extern char etext[];
    return pc >= (uintptr_t)__executable_start && pc < (uintptr_t)etext;
}

/* The run time's code has its own section. */
static bool in_run_time(uintptr_t pc)
{
    extern char __start_cpucc_run[] __attribute__((weak)), __stop_cpucc_run[] __attribute__((weak));
    return pc >= (uintptr_t)__start_cpucc_run && pc <= (uintptr_t)__stop_cpucc_run;
}

uintptr_t cpucc_user_pc(uintptr_t pc)
{
    void *frame[32];
    if (!in_run_time(pc))
        return pc;
    int n = backtrace(frame, 32);
    for (int i = 1; i < n; i++)
        if (in_program((uintptr_t)frame[i]) && !in_run_time((uintptr_t)frame[i]))
            return (uintptr_t)frame[i];
    return pc;
}

/* Sets *pc to the place in the host's code that raised the signal; if a library function did, to
 * the place of its call. False if the run time made the access. */
static bool users_place(const void *context, uintptr_t *pc)
{
    void *frame[32];
    *pc = cpucc_signal_pc(context);
    if (in_program(*pc))
        return !in_run_time(*pc);
    int n = backtrace(frame, 32);
    bool past = false; /* past the frames of the signal handler */
    for (int i = 0; i < n; i++) {
        past |= (uintptr_t)frame[i] + 1 == *pc;
        if (past && in_program((uintptr_t)frame[i])) {
            *pc = (uintptr_t)frame[i];
            return !in_run_time(*pc);
        }
    }
    return true;
}

/* Opens the page of this address. */
static void one_page(uintptr_t a)
{
    mprotect((void *)(a & ~(uintptr_t)4095), 4096, PROT_READ | PROT_WRITE);
}

/* Returns the operation that may still use this byte of pinned or managed memory, or NULL. */
static const struct device_operation *pending_use(uintptr_t a, bool write)
{
    bool recorded = is_managed(a) || !cpucc_page_state[(a - (uintptr_t)cpucc_heap) / 4096];
    const shadow *s = recorded ? cpucc_shadow(a) : NULL;
    unsigned mask = 1u << (a & 3);
    int count;
    const struct device_operation *o = cpucc_pending(&count);
    for (int i = 0; i < count; i++, o++) {
        for (int k = 0; k < 2; k++)
            if (a >= o->range[k].from && a < o->range[k].to && (write || o->range[k].written))
                return o;
        if (!o->name || !s)
            continue;
#define BY(x) ((x).block >= o->first_serial && (x).block <= o->last_serial)
        if (s->write_mask & mask && BY(s->write)) {
            if (!s->write_strong || (!s->write_volatile && !o->signals_host))
                return o;
            cpucc_synchronised(o->device); /* a flag of the kernel: the host has waited for it */
            return NULL;
        }
        if (write && s->read.lanes && BY(s->read) && s->read.when >> 30 == 0) /* a plain read */
            return o;
#undef BY
    }
    return NULL;
}

/* Prints the faults and ends the program with status 1. */
static void end_program(void)
{
    cpucc_print_faults();
    cpucc_write_fault_summary();
    fflush(NULL);
    _exit(1);
}

/* Lets the signal occur again without this handler. */
static void default_action(int number)
{
    signal(number, SIG_DFL);
    raise(number);
}

/* Handles SIGSEGV and SIGBUS: reports a full stack of a thread or a forbidden access by the host,
 * or opens memory for the run time. All other signals take their default action. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    uintptr_t a = (uintptr_t)info->si_addr, pc;
    struct lane *l = cpucc_is_launching_thread() ? cpucc_current : NULL;
    if (l && cpucc_on_stack_guard(l, a)) {
        pc = cpucc_signal_pc(context);
        END_LAUNCH(cudaErrorLaunchFailure, l, in_program(pc) && !in_run_time(pc) ? pc : l->pc,
                   STACK_OVERFLOW, "the thread's local memory and calls take more than %zu bytes",
                   cpucc_stack_bytes - STACK_GUARD - STACK_RESERVE);
    }
    bool in_heap = cpucc_in_heap(a);
    if (l || !cpucc_heap || (!in_heap && !is_managed(a))) {
        default_action(number);
        return;
    }
    bool of_host = !in_heap || a >= (uintptr_t)cpucc_heap_host;
    if (!users_place(context, &pc)) { /* the run time made the access */
        if (of_host)
            one_page(a);
        else {
            protect(cpucc_heap, device_closed, PROT_READ | PROT_WRITE);
            device_closed = NULL;
        }
        return;
    }
    if (!of_host) {
        cpucc_fault(NULL, pc, HOST_ACCESS, "%s", cpucc_describe_address(a));
        end_program();
    }
    bool write = writes(context);
    const struct device_operation *o = pending_use(a, write);
    if (o)
        cpucc_fault(
            NULL, pc, HOST_RACE, "%s is %s by the host, which has not waited for %s%s at %s",
            cpucc_describe_address(a), write ? "written" : "read",
            o->name ? "the kernel " : "the copy", o->name ? o->name : "", cpucc_line(o->pc));
    if (o)
        cpucc_print_faults();
    one_page(a);
}

/* The handler needs its own stack per host thread, because the signal may mean a full stack. */
void cpucc_signals_start(void)
{
    static __thread char *own;
    static bool installed;
    enum { BYTES = 1 << 17 };
    if (!own) {
        own = malloc(BYTES);
        stack_t s = {.ss_sp = own, .ss_size = BYTES};
        if (own)
            sigaltstack(&s, NULL);
    }
    if (installed)
        return;
    installed = true;
    void *frame[4];
    backtrace(frame, 4); /* loads backtrace's library now, not in the handler */
    struct sigaction action = {.sa_sigaction = on_signal,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
}

const struct cpucc_checker cpucc_host = {
    .name = "host", .host_enters = open_memory, .host_leaves = close_memory};
