/* The CUDA run-time header as cpucc sees it; the driver includes it before every .cu file. */
#ifndef CPUCC_CUDA_RUNTIME_H
#define CPUCC_CUDA_RUNTIME_H
#ifndef __CPUCC__
#error "these headers belong to cpucc; nvcc has its own"
#endif
#ifdef __cplusplus
#include "cpucc_language.h"
#pragma clang force_cuda_host_device begin
#include "cpucc_vector.h"
#ifdef __CUDACC__
#include "cpucc_device.h"
#endif
#pragma clang force_cuda_host_device end
#include "cpucc_host.h"
#else
#include "cpucc_api.h"
#endif
#endif
