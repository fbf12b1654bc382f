/* __nv_bfloat16 and __nv_bfloat162. */
#ifndef CPUCC_CUDA_BF16_H
#define CPUCC_CUDA_BF16_H
#define __CUDA_BF16_H__
#include "cpucc_half.h"
#pragma clang force_cuda_host_device begin
#define CPUCC_T __nv_bfloat16
#define CPUCC_T2 __nv_bfloat162
#define CPUCC_TR __nv_bfloat16_raw
#define CPUCC_T2R __nv_bfloat162_raw
#define CPUCC_NAME(before, after) before##bfloat16##after
#define CPUCC_NAME2(before, after) before##bfloat162##after
#define CPUCC_TWICE __bfloat162bfloat162
#define CPUCC_BITS cpucc_bf16_bits
#define CPUCC_VALUE cpucc_bf16_value
#include "cpucc_half_type.h"
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#pragma clang force_cuda_host_device end
#endif
