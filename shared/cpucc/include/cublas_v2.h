/* Includes cuBLAS, see cublas_api.h. */
#ifndef CPUCC_CUBLAS_V2_H
#define CPUCC_CUBLAS_V2_H
#define CUBLAS_V2_H_
#include "cuComplex.h"
#include "cuda_runtime.h"
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif
#include "cublas_api.h"
#endif
