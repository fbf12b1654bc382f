/* __nv_bfloat16 and __nv_bfloat162. */
#ifndef CPUCC_CUDA_BF16_H
#define CPUCC_CUDA_BF16_H
#define __CUDA_BF16_H__
#include "cpucc_half.h"
#pragma clang force_cuda_host_device begin
#define T __nv_bfloat16
#define T2 __nv_bfloat162
#define TR __nv_bfloat16_raw
#define T2R __nv_bfloat162_raw
#define N bfloat16
#define N2 bfloat162
#define CPUCC_BITS cpucc_bf16_bits
#define CPUCC_VALUE cpucc_bf16_value
#include "cpucc_half_type.h"
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#pragma clang force_cuda_host_device end
#endif
