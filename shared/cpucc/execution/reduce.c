/*
 * Executes cp.reduce.async.bulk (PTX ISA): combines values with elements of memory, each
 * atomically.
 */
#include <string.h>
#include "async.h"
#include "../core/float_formats.h"

enum { ADD, MIN, MAX, INC, DEC, AND, OR, XOR };

static double of_reals(int operation, double a, double b)
{
    return operation == ADD ? a + b : operation == MIN ? (b < a ? b : a) : (b > a ? b : a);
}

static uint64_t of_integers(int operation, uint64_t a, uint64_t b, bool is_signed)
{
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;
    switch (operation) {
    case ADD: return a + b;
    case MIN: return less ? a : b;
    case MAX: return less ? b : a;
    case INC: return a >= b ? 0 : a + 1;
    case DEC: return a == 0 || a > b ? b : a - 1;
    case AND: return a & b;
    case OR: return a | b;
    default: return a ^ b;
    }
}

static void reduce_one(const struct reduction *how, void *memory, const void *value)
{
    uint64_t a = 0, b = 0;
    memcpy(&a, memory, (size_t)how->bytes);
    memcpy(&b, value, (size_t)how->bytes);
    bool is_half = how->type == 'h' || how->type == 'e';
    if (is_half) {
        float (*wide)(uint16_t) = how->type == 'h' ? cpucc_half_to_float : cpucc_bf16_to_float;
        uint16_t (*narrow)(float) = how->type == 'h' ? cpucc_float_to_half : cpucc_float_to_bf16;
        a = narrow((float)of_reals(how->operation, wide((uint16_t)a), wide((uint16_t)b)));
    } else if (how->type == 'f' && how->bytes == 4) {
        float x, y;
        memcpy(&x, memory, 4);
        memcpy(&y, value, 4);
        x = how->operation == ADD ? x + y : (float)of_reals(how->operation, x, y);
        memcpy(&a, &x, 4);
    } else if (how->type == 'f') {
        double x, y;
        memcpy(&x, memory, 8);
        memcpy(&y, value, 8);
        x = of_reals(how->operation, x, y);
        memcpy(&a, &x, 8);
    } else {
        bool is_signed = how->type == 's';
        if (is_signed && how->bytes == 4)
            a = (uint64_t)(int64_t)(int32_t)a, b = (uint64_t)(int64_t)(int32_t)b;
        a = of_integers(how->operation, a, b, is_signed);
    }
    memcpy(memory, &a, (size_t)how->bytes);
}

void cpucc_reduce(const struct reduction *how, void *memory, const void *values, size_t n)
{
    for (size_t at = 0; at < n; at += (size_t)how->bytes)
        reduce_one(how, (char *)memory + at, (const char *)values + at);
}
