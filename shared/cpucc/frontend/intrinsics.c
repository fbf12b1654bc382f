/*
 * Implements functions that clang's GPU code calls: reads of special registers, clock, assert, and
 * printf, whose arguments come in a buffer.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../execution/execution.h"

index3 cpucc_thread_index(void);
index3 cpucc_block_index(void);
index3 cpucc_block_dim(void);
index3 cpucc_grid_dim(void);
int cpucc_lane_number(void);
void cpucc_trap(void);
uint64_t cpucc_clock(void);

#define SPECIAL(name, call)                                                                        \
    unsigned cpucc_nvvm_read_ptx_sreg_##name##_x(void) { return call().x; }                        \
    unsigned cpucc_nvvm_read_ptx_sreg_##name##_y(void) { return call().y; }                        \
    unsigned cpucc_nvvm_read_ptx_sreg_##name##_z(void) { return call().z; }
SPECIAL(tid, cpucc_thread_index)
SPECIAL(ctaid, cpucc_block_index)
SPECIAL(ntid, cpucc_block_dim)
SPECIAL(nctaid, cpucc_grid_dim)
unsigned cpucc_nvvm_read_ptx_sreg_laneid(void) { return (unsigned)cpucc_lane_number(); }
unsigned cpucc_nvvm_read_ptx_sreg_warpsize(void) { return WARP; }

/* clock(): the cycle counter cut to a signed 32-bit number, as on the device. */
long cpucc_device_clock(void) { return (long)(int)cpucc_clock(); }

/* ---- printf ---- */

/* The arguments of a call that are not printed yet. */
struct arguments {
    const char *at;    /* in the buffer */
    const char *types; /* a letter for each argument: i and l (4 and 8 bytes), d, p; or NULL */
    int taken;
};
static const char *types_of_next_call;

/* Called before a printf whose arguments' types the front end knows. */
void cpucc_printf_arguments(const char *types) { types_of_next_call = types; }

static void bad_argument(const char *conversion, int number, const char *what)
{
    END_LAUNCH(cudaErrorIllegalAddress, cpucc_current, SITE, OUT_OF_BOUNDS,
               "printf: argument %d, for %s, %s", number, conversion, what);
}

/* The next argument, which the conversion takes as one of `bytes` bytes. */
static uint64_t next(struct arguments *a, size_t bytes, const char *conversion)
{
    uint64_t value = 0;
    char type = a->types ? a->types[a->taken] : '?';
    a->taken++;
    if (!type)
        bad_argument(conversion, a->taken, "is missing");
    bytes = type == 'i' ? 4 : type == '?' ? bytes : 8;
    uintptr_t p = ((uintptr_t)a->at + bytes - 1) / bytes * bytes;
    a->at = (const char *)p + bytes;
    memcpy(&value, (const void *)p, bytes);
    return bytes == 4 ? (uint64_t)(int64_t)(int32_t)value : value;
}

/* Whether the run time may read the string. */
static bool is_text(const char *p)
{
    for (const char *c = p;; c++) {
        bool in_heap = c >= cpucc_heap && c < cpucc_heap_end;
        if (in_heap                            ? !cpucc_all_allocated((uintptr_t)c, 1)
            : cpucc_sealed                     ? !cpucc_seal_readable(c, 1)
            : c == p || !((uintptr_t)c & 4095) ? !cpucc_is_mapped(c, 1)
                                               : false)
            return false;
        if (!*c)
            return true;
    }
}

/* Prints one conversion, from % to its letter; returns the rest of the format. */
static const char *print_one(const char *format, struct arguments *a, int *printed)
{
    char how[64];
    size_t n = 0;
    int wide = 0;
    how[n++] = *format++;
    for (; *format && strchr("-+ #0123456789.*hlLqjzt", *format); format++) {
        if (*format == '*' && n < 40)
            n += (size_t)snprintf(how + n, 16, "%d", (int)next(a, 4, "*"));
        else if (n < 56)
            how[n++] = *format;
        wide += *format == 'l' || *format == 'z' || *format == 'j' || *format == 't';
    }
    if (!*format || !strchr("diuoxXcsfFeEgGaAp%", *format))
        return format; /* unknown conversion: print the rest as text */
    how[n++] = *format;
    how[n] = 0;
    if (*format == '%') {
        *printed += printf("%%");
    } else if (strchr("fFeEgGaA", *format)) {
        uint64_t bits = next(a, 8, how);
        double value;
        memcpy(&value, &bits, 8);
        *printed += printf(how, value);
    } else if (strchr("sp", *format)) {
        const char *p = (const char *)(uintptr_t)next(a, 8, how);
        if (*format == 's' && p && !is_text(p))
            bad_argument(how, a->taken, "is no text that the device can read");
        *printed += printf(how, p);
    } else if (wide) {
        *printed += printf(how, (long long)next(a, 8, how));
    } else {
        *printed += printf(how, (int)next(a, 4, how));
    }
    return format + 1;
}

/* The device's printf; returns the number of printed characters, or -1. */
int cpucc_vprintf(const char *format, const char *buffer)
{
    int printed = 0;
    struct arguments a = {.at = buffer, .types = types_of_next_call};
    types_of_next_call = NULL;
    if (!is_text(format) || !cpucc_seal_readable(buffer ? buffer : format, 1))
        return -1;
    while (*format) {
        if (*format == '%') {
            format = print_one(format, &a, &printed);
            continue;
        }
        size_t n = strcspn(format, "%");
        printed += (int)fwrite(format, 1, n, stdout);
        format += n;
    }
    return printed;
}

/* assert(); sealed code may pass what is no text. */
void cpucc_assert(const char *expression, const char *file, unsigned line, const char *function)
{
    __assert_fail(is_text(expression) ? expression : "?", file, line, function);
}

void cpucc_assertfail(const char *expression, const char *file, unsigned line, const char *function,
                      size_t size)
{
    (void)expression, (void)file, (void)line, (void)function, (void)size;
    cpucc_trap();
}
