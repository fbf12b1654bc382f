/* __CUDA_ARCH__ is defined in device code and nowhere else. */
#include "constructs.h"

__host__ __device__ int side()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 2;
#endif
}

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#error "cpucc is a device of capability 9.0"
#endif

__host__ __device__ inline int level()
{
#if !defined(__CUDA_ARCH__)
    return 0;
#elif __CUDA_ARCH__ >= 900
    return 9;
#else
    return 8;
#endif
}

__global__ void ask(int *out) { out[threadIdx.x] = side() * 10 + level(); }

int main()
{
    int statements = 0;
    ask<<<1, 1>>>(fresh());
    fetch();
    expect("device", host[0], 19);
    expect("host", side() * 10 + level(), 20);
#ifndef __CUDA_ARCH__
    expect("statements of the host's alone", ++statements, 1);
#endif
    expect("they were there", statements, 1);
    return failures != 0;
}
