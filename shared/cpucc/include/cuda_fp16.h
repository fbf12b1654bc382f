/* __half and __half2. */
#ifndef CPUCC_CUDA_FP16_H
#define CPUCC_CUDA_FP16_H
#define __CUDA_FP16_H__
#include "cpucc_half.h"
#pragma clang force_cuda_host_device begin
#define T __half
#define T2 __half2
#define TR __half_raw
#define T2R __half2_raw
#define N half
#define N2 half2
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
