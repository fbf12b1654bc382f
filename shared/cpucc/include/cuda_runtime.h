/* The CUDA run-time header as cpucc sees it; the driver includes it before every source file. */
#ifndef CPUCC_CUDA_RUNTIME_H
#define CPUCC_CUDA_RUNTIME_H
#ifndef __CPUCC__
#error "these headers belong to cpucc; nvcc has its own"
#endif
#include <assert.h>
#include <stdio.h>
#include <time.h>
#include "cpucc_vector.h"
#include "cpucc_device.h"
#include "cpucc_host.h"
#endif
