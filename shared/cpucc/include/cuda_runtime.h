/* cpucc's CUDA run-time header; cpucc includes it before every .cu file. */
#ifndef CPUCC_CUDA_RUNTIME_H
#define CPUCC_CUDA_RUNTIME_H
/* Programs and NVIDIA's helpers test these macros to find out which headers were included. */
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __HOST_DEFINES_H__
#define __DEVICE_TYPES_H__
#if defined(__NVCC__) && !defined(__CPUCC__)
#error "these headers belong to cpucc; nvcc has its own"
#endif
#ifdef __cplusplus
#include "cpucc_language.h"
#ifdef __CUDACC__
#pragma clang force_cuda_host_device begin
#endif
#include "cpucc_vector.h"
#ifdef __CUDACC__
#include "cpucc_device.h"
#include "driver_types.h"
#include "cpucc_texture.h"
#pragma clang force_cuda_host_device end
#endif
#include "cpucc_host.h"
#ifdef __CUDA_ARCH__ /* as in nvcc, of unknown alignment; clang's builtins believe the pointers' types */
#define __builtin_memcpy(...) ::memcpy(__VA_ARGS__)
#define __builtin_memset(...) ::memset(__VA_ARGS__)
#endif
#else
#include "cpucc_api.h"
#endif
#endif
