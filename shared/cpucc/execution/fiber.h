/*
 * Switches between stacks, in general by Boost.Context's C interface (libboost_context). It
 * also saves the floating-point control words, which takes half of the time. Device code never
 * changes these words, so the x86-64 version here does not save them.
 */
#ifndef CPUCC_FIBER_H
#define CPUCC_FIBER_H

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__) && defined(__linux__)

/* Saves the caller's stack in *from and continues at `to`. */
void cpucc_switch(void **from, void *to);
__asm__(".text\n"
        ".p2align 5\n"
        ".globl cpucc_switch\n"
        ".hidden cpucc_switch\n"
        ".type cpucc_switch, @function\n"
        "cpucc_switch:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    popq %rcx\n"
        "    jmpq *%rcx\n"
        ".size cpucc_switch, . - cpucc_switch\n");

/* Returns a context whose stack is empty. The first switch to it calls `start`, which never
 * returns. */
static inline void *cpucc_fiber(void *stack_top, size_t bytes, void (*start)(void))
{
    void **top = (void **)((uintptr_t)stack_top & ~(uintptr_t)15);
    (void)bytes;
    *--top = NULL; /* start's return address, for the stack alignment of a call */
    *--top = (void *)(uintptr_t)start;
    for (int i = 0; i < 6; i++)
        *--top = NULL;
    return top;
}

#else

typedef struct {
    void *from, *data;
} transfer;
extern transfer jump_fcontext(void *to, void *data);
extern void *make_fcontext(void *stack_top, size_t bytes, void (*start)(transfer));

static void (*cpucc_fiber_start)(void);

static inline void cpucc_switch(void **from, void *to)
{
    transfer t = jump_fcontext(to, from);
    *(void **)t.data = t.from;
}

static inline void cpucc_fiber_main(transfer t)
{
    *(void **)t.data = t.from;
    cpucc_fiber_start();
}

static inline void *cpucc_fiber(void *stack_top, size_t bytes, void (*start)(void))
{
    cpucc_fiber_start = start;
    return make_fcontext(stack_top, bytes, cpucc_fiber_main);
}

#endif
#endif
