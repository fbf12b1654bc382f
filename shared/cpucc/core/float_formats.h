/* float_formats.c: conversions between float and the formats of tensor cores, and arithmetic that
 * rounds in a given direction. Conversions to half and bf16 round to nearest, ties to even. */
#ifndef CPUCC_FLOAT_FORMATS_H
#define CPUCC_FLOAT_FORMATS_H

#include <stdint.h>

float cpucc_half_to_float(uint16_t bits);
uint16_t cpucc_float_to_half(float value);
float cpucc_bf16_to_float(uint16_t bits);
uint16_t cpucc_float_to_bf16(float value);
float cpucc_float_to_tf32(float value); /* 10 bits of mantissa, ties away from zero */

enum { CPUCC_ADD, CPUCC_SUB, CPUCC_MUL, CPUCC_DIV, CPUCC_SQRT, CPUCC_FMA };
/* Directions: 0 nearest, 1 towards zero, 2 up, 3 down. include/cpucc_math.h also declares these
 * functions. `c` is CPUCC_FMA's addend; CPUCC_SQRT takes the root of a. */
float cpucc_directed_float(int operation, int direction, float a, float b, float c);
double cpucc_directed_double(int operation, int direction, double a, double b, double c);
float cpucc_double_to_float(double v, int direction);
float cpucc_signed_to_float(long long v, int direction);
float cpucc_unsigned_to_float(unsigned long long v, int direction);
double cpucc_signed_to_double(long long v, int direction);
double cpucc_unsigned_to_double(unsigned long long v, int direction);

#endif
