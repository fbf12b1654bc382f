/* __half and __half2. */
#ifndef CPUCC_CUDA_FP16_H
#define CPUCC_CUDA_FP16_H
#define __CUDA_FP16_H__
#include "cpucc_half.h"
#pragma clang force_cuda_host_device begin
#define CPUCC_T __half
#define CPUCC_T2 __half2
#define CPUCC_TR __half_raw
#define CPUCC_T2R __half2_raw
#define CPUCC_NAME(before, after) before##half##after
#define CPUCC_NAME2(before, after) before##half2##after
#define CPUCC_TWICE __half2half2
#define CPUCC_BITS cpucc_half_bits
#define CPUCC_VALUE cpucc_half_value
#include "cpucc_half_type.h"
typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#pragma clang force_cuda_host_device end
#endif
