/* __nv_bfloat16 and __nv_bfloat162. */
#ifndef CPUCC_CUDA_BF16_H
#define CPUCC_CUDA_BF16_H
#include "cpucc_half.h"
#pragma clang force_cuda_host_device begin
CPUCC_HALF_TYPE(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, __nv_bfloat162_raw, bfloat16,
                bfloat162, cpucc_bf16_bits, cpucc_bf16_value)
CPUCC_FN float2 __bfloat1622float2(__nv_bfloat162 h) { return __bfloat1622float2_(h); }
CPUCC_FN __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return {a, b}; }
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#pragma clang force_cuda_host_device end
#endif
