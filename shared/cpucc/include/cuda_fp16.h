/* __half and __half2. */
#ifndef CPUCC_CUDA_FP16_H
#define CPUCC_CUDA_FP16_H
#include "cpucc_half.h"
#pragma clang force_cuda_host_device begin
CPUCC_HALF_TYPE(__half, __half2, __half_raw, __half2_raw, half, half2, cpucc_half_bits,
                cpucc_half_value)
CPUCC_FN float2 __half22float2(__half2 h) { return __half22float2_(h); }
CPUCC_FN __half2 make_half2(__half a, __half b) { return {a, b}; }
CPUCC_FN short __half_as_short(__half h) { return (short)h.__x; }
CPUCC_FN __half __short_as_half(short b) { return __half(__half_raw{(unsigned short)b}); }
typedef __half half;
typedef __half2 half2;
#pragma clang force_cuda_host_device end
#endif
