/* Variables that the source reads only under a condition, which the optimiser loads in any case: a fault is the read
 * of the source. */
#include "../order/order.h"

__global__ void either(bool skip, int n, int *out)
{
    __shared__ int s;
    if (n < 0)
        s = n;
    __syncthreads();
    if (skip || s == 3) /* FAULT: uninitialised (either_read) */
        out[threadIdx.x] = 1;
}
CASE(either_skipped) { either<<<1, 64>>>(true, 1, ints(64)); }
CASE(either_read) { either<<<1, 64>>>(false, 1, ints(64)); }

__global__ void both(bool use, int n, int *out)
{
    __shared__ int s[2];
    if (n < 0)
        s[threadIdx.x % 2] = n;
    __syncthreads();
    if (use && s[1] == 3) /* FAULT: uninitialised (both_read) */
        out[threadIdx.x] = 1;
}
CASE(both_skipped) { both<<<1, 64>>>(false, 1, ints(64)); }
CASE(both_read) { both<<<1, 64>>>(true, 1, ints(64)); }

__global__ void chosen(bool use, int n, float *out)
{
    __shared__ float s;
    if (n < 0)
        s = n;
    __syncthreads();
    out[threadIdx.x] = use ? s * 2 : 7; /* FAULT: uninitialised (chosen_read) */
}
CASE(chosen_skipped) { chosen<<<1, 64>>>(false, 1, (float *)ints(64)); }
CASE(chosen_read) { chosen<<<1, 64>>>(true, 1, (float *)ints(64)); }

__global__ void pair(bool use, int n, int *out)
{
    __shared__ int2 s;
    if (n < 0)
        s.x = s.y = n;
    __syncthreads();
    if (use && s.x + s.y == 3) /* FAULT: uninitialised (pair_read) */
        out[threadIdx.x] = 1;
}
CASE(pair_skipped) { pair<<<1, 64>>>(false, 1, ints(64)); }
CASE(pair_read) { pair<<<1, 64>>>(true, 1, ints(64)); }

__device__ __noinline__ bool is_three(bool use, int &x)
{
    return use && x == 3; /* FAULT: uninitialised (reference_read) */
}
__global__ void reference(bool use, int n, int *out)
{
    __shared__ int s;
    if (n < 0)
        s = n;
    __syncthreads();
    out[threadIdx.x] = is_three(use, s);
}
CASE(reference_skipped) { reference<<<1, 64>>>(false, 1, ints(64)); }
CASE(reference_read) { reference<<<1, 64>>>(true, 1, ints(64)); }

#define IS_THREE(use, x) (use && x == 3)
__global__ void macro(bool use, int n, int *out)
{
    __shared__ int s;
    if (n < 0)
        s = n;
    __syncthreads();
    if (IS_THREE(use, s)) /* FAULT: uninitialised (macro_read) */
        out[threadIdx.x] = 1;
}
CASE(macro_skipped) { macro<<<1, 64>>>(false, 1, ints(64)); }
CASE(macro_read) { macro<<<1, 64>>>(true, 1, ints(64)); }

__global__ void iteration(int which, int n, int *out)
{
    __shared__ int s;
    if (n < 0)
        s = n;
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; i++)
        if (i == which) /* FAULT: uninitialised (iteration_read) */
            sum += s;
    out[threadIdx.x] = sum;
}
CASE(iteration_skipped) { iteration<<<1, 64>>>(20, 20, ints(64)); }
CASE(iteration_read) { iteration<<<1, 64>>>(19, 20, ints(64)); }

__global__ void owner(int writer, int reader, int n, int *out)
{
    __shared__ int count;
    if (threadIdx.x == writer)
        count = n;                           /* FAULT: race_write_after_read (owner_other) */
    if (threadIdx.x == reader && count == n) /* FAULT: uninitialised (owner_other) */
        out[0] = 1;
}
CASE(owner_alone) { owner<<<1, 64>>>(40, 40, 1, ints(1)); }
CASE(owner_other) { owner<<<1, 64>>>(40, 4, 1, ints(1)); }

__global__ void first(int n, int *out)
{
    __shared__ int count;
    if (threadIdx.x == 0)
        count = n;
    if (threadIdx.x == 0 && count == n)
        out[0] = 1;
}
CASE(first_alone) { first<<<1, 64>>>(1, ints(1)); }

__device__ int total;
__global__ void variable(int writer, int reader, int n, int *out)
{
    if (threadIdx.x == writer)
        total = n;
    if (threadIdx.x == reader && total == n) /* FAULT: race_read_after_write (variable_other) */
        out[0] = 1;
}
CASE(variable_alone) { variable<<<1, 64>>>(4, 4, 1, ints(1)); }
CASE(variable_other) { variable<<<1, 64>>>(4, 40, 1, ints(1)); }

__global__ void memory(bool use, const int *never, int *out)
{
    if (use && never[0] == 3) /* FAULT: uninitialised (memory_read) */
        out[threadIdx.x] = 1;
    out[threadIdx.x] += use ? never[1] : 7; /* FAULT: uninitialised (memory_read) */
}
static int *unwritten()
{
    int *p;
    cudaMalloc(&p, 8);
    return p;
}
CASE(memory_skipped) { memory<<<1, 64>>>(false, unwritten(), ints(64)); }
CASE(memory_read) { memory<<<1, 64>>>(true, unwritten(), ints(64)); }

__global__ void local(bool use, int n, int *out)
{
    int a[4];
    if (n < 0)
        a[n & 3] = n;
    if (use && a[n + 1 & 3] == 3) /* FAULT: uninitialised (local_read) */
        out[threadIdx.x] = 1;
}
CASE(local_skipped) { local<<<1, 64>>>(false, 1, ints(64)); }
CASE(local_read) { local<<<1, 64>>>(true, 1, ints(64)); }
