/*
 * Implements functions that clang's GPU code calls: reads of special registers, clock, assert, and
 * printf, whose arguments come in a buffer.
 */
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

/* The next argument in the buffer, aligned to its size; advances *at behind it. */
static const void *next(const char **at, size_t bytes)
{
    uintptr_t p = ((uintptr_t)*at + bytes - 1) / bytes * bytes;
    *at = (const char *)p + bytes;
    return (const void *)p;
}

/* True if the string may be read; checked only in sealed (untrusted) programs. */
static bool is_text(const char *p)
{
    while (cpucc_sealed && cpucc_seal_readable(p, 1) && *p)
        p++;
    return cpucc_seal_readable(p, 1);
}

/* Prints one conversion, from % to its letter; returns the rest of the format. */
static const char *print_one(const char *format, const char **at, int *printed)
{
    char how[64];
    size_t n = 0;
    int wide = 0;
    const char *peek;
    how[n++] = *format++;
    for (; *format && strchr("-+ #0123456789.*hlLqjzt", *format); format++) {
        if (*format == '*' && n < 40)
            n += (size_t)snprintf(how + n, 16, "%d", *(const int *)next(at, 4));
        else if (n < 56)
            how[n++] = *format;
        wide += *format == 'l' || *format == 'z' || *format == 'j' || *format == 't';
    }
    if (!*format || !strchr("diuoxXcsfFeEgGaAp%", *format))
        return format; /* unknown conversion: print the rest as text */
    how[n++] = *format;
    how[n] = 0;
    peek = *at;
    if (*format == '%')
        *printed += printf("%%");
    else if (strchr("fFeEgGaA", *format))
        *printed += printf(how, *(const double *)next(at, 8));
    else if (*format == 's' && !is_text(*(const char *const *)next(&peek, 8)))
        *printed += printf("(no text)"), next(at, 8);
    else if (*format == 's' || *format == 'p')
        *printed += printf(how, *(void *const *)next(at, 8));
    else if (wide)
        *printed += printf(how, *(const long long *)next(at, 8));
    else
        *printed += printf(how, *(const int *)next(at, 4));
    return format + 1;
}

/* The device's printf; returns the number of printed characters, or -1. */
int cpucc_vprintf(const char *format, const char *buffer)
{
    int printed = 0;
    if (!is_text(format) || !cpucc_seal_readable(buffer ? buffer : format, 1))
        return -1;
    while (*format) {
        if (*format == '%') {
            format = print_one(format, &buffer, &printed);
            continue;
        }
        size_t n = strcspn(format, "%");
        printed += (int)fwrite(format, 1, n, stdout);
        format += n;
    }
    return printed;
}

void cpucc_assertfail(const char *expression, const char *file, unsigned line, const char *function,
                      size_t size)
{
    (void)expression, (void)file, (void)line, (void)function, (void)size;
    cpucc_trap();
}
