#!/bin/bash
# Tests programs of several files: kernels of the same name in two files, C and C++ files without
# kernels, compiled together and one by one, in folders with blanks and apostrophes in their names. Two of
# the files include the same headers of CUDA, which must define nothing twice.
# Device symbols that another file defines must be refused by name. usage: files.sh
. "$(dirname "$0")/../../traffic/tests/checks.sh"
cpucc=$shared/cpucc/cpucc
export CPUCC_REPORT=off
folder="$work/it's a folder"
mkdir "$folder"
cd "$folder" || exit 1

cat >parts.h <<'END'
#ifdef __cplusplus
extern "C" {
#endif
int first(int n);
int second(int n);
int in_c(int n);
#ifdef __cplusplus
}
#endif
END
for name in first second; do
    cat >$name.cu <<END
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include "parts.h"
#define FACTOR $([ $name = first ] && echo 1 || echo 10)
static __global__ void work(int *p) { p[threadIdx.x] = FACTOR * threadIdx.x; }
template <int N> __global__ void add(int *p) { p[threadIdx.x] += N; }
static __constant__ int table[2] = {0, 100 * FACTOR};
__device__ int ${name}_counter;
static __global__ void look(int *p) { p[threadIdx.x] += table[1], atomicAdd(&${name}_counter, 1); }
int $name(int n)
{
    int *d, h, count;
    cudaMalloc((void **)&d, 128);
    work<<<1, 32>>>(d);
    add<2><<<1, 32>>>(d);
    look<<<1, 32>>>(d);
    cudaMemcpy(&h, d + n, 4, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&count, ${name}_counter, 4);
    cudaFree(d);
    return h + count;
}
END
done
cat >in_c.c <<'END'
#include <cuda_runtime_api.h>
#include "parts.h"
int in_c(int n)
{
    struct { int new; } class = {n}; /* words of C++ */
    void *p = 0;
    dim3 d = {1, 2, 3};
    if (cudaMalloc(&p, 4) != cudaSuccess)
        return -1;
    cudaMemcpy(p, &class.new, 4, cudaMemcpyHostToDevice);
    cudaMemcpy(&n, p, 4, cudaMemcpyDeviceToHost);
    return n + (int)d.z;
}
END
cat >main.cpp <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
#include "parts.h"
#ifdef __CUDACC__
#error "a .cpp file is no CUDA"
#endif
int main()
{
    int global = 0; /* a word that only CUDA has is a name here */
    float4 v = make_float4(1, 2, 3, 4);
    cudaGetDeviceCount(&global);
    printf("%d %d %d %g\n", first(3), second(3), in_c(global), v.z);
}
END
expected='137 1064 4 3'

expect 0 "$cpucc" main.cpp first.cu second.cu in_c.c -o "all 'together'"
expect 0 "./all 'together'"
says "^$expected\$"
for part in main.cpp first.cu second.cu in_c.c; do
    expect 0 "$cpucc" -c "$part"
done
expect 0 "$cpucc" main.o first.o second.o in_c.o -o linked
expect 0 ./linked
says "^$expected\$"
expect 0 "$cpucc" "$folder/first.cu" -c -o 'of another name.o'
expect 0 "$cpucc" main.o 'of another name.o' second.o in_c.o -o linked
expect 0 ./linked
says "^$expected\$"

# Kernels in a file whose name does not end in .cu: with -x cu, as in nvcc.
cp first.cu named.cpp
expect 0 "$cpucc" -x cu -c named.cpp -o named.o
expect 0 "$cpucc" main.o named.o second.o in_c.o -o linked
expect 0 ./linked
says "^$expected\$"

# A fault's source line is found although the program's name has a blank and an apostrophe.
cat >fault.cu <<'END'
__global__ void outside(int *p) { p[1] = 1; }
int main()
{
    int *p;
    cudaMalloc((void **)&p, 4);
    outside<<<1, 1>>>(p);
}
END
expect 0 "$cpucc" fault.cu -o "it's faulty"
CPUCC_FAULTS_FILE=faults.tsv expect 1 "./it's faulty"
check 'the fault has its line' grep -q $'^fault\tout_of_bounds\tfault\.cu\t1\t' faults.tsv

cat >undefined.cu <<'END'
extern __device__ int counter;
__device__ float helper(int, float *);
__global__ void uses_variable(int *p)
{
    *p = counter;
}
__global__ void uses_function(float *p)
{
    *p = helper(3, p);
}
int main() {}
END
expect 1 "$cpucc" undefined.cu -o undefined
says "^undefined\.cu:5: error: cpucc: the variable 'counter' is not defined in this file"
says "^undefined\.cu:9: error: cpucc: the device function 'helper(int, float\*)' is not defined"
check 'no program is left' [ ! -e undefined ]
finish
