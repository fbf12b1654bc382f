/*
 * Which loops nvcc unrolls, seen by what it then merges: each round reads the next word of a row in shared
 * memory, and four rounds that are copies of one another make one load. Here are the loads that a warp
 * makes in nvcc 13.0's code for sm_90 (cuobjdump -sass; see counts.py), at_run_time's excepted: nvcc's
 * depend on the number of rounds. Compiles with nvcc too.
 *
 * COUNTERS shared_load
 * REQUESTS rounds<4,0> 1
 * REQUESTS rounds<32,0> 8
 * REQUESTS rounds<64,0> 16
 * REQUESTS rounds<128,0> 32
 * REQUESTS rounds<256,0> 64
 * REQUESTS rounds<30,0> 8
 * REQUESTS rounds<4,100> 4
 * REQUESTS rounds<4,90> 1
 * REQUESTS rounds<64,4> 16
 * REQUESTS rounds<64,12> 16
 * REQUESTS rounds<64,30> 32
 * REQUESTS rounds<64,45> 32
 * REQUESTS rounds<64,80> 32
 * REQUESTS rounds<64,100> 64
 * REQUESTS rounds<20,20> 10
 * REQUESTS rounds<16,18> 4
 * REQUESTS rounds<18,60> 9
 * REQUESTS by_pragma<1> 64
 * REQUESTS by_pragma<2> 32
 * REQUESTS by_pragma<4> 32
 * REQUESTS by_pragma<64> 16
 * REQUESTS nested<8,4> 8
 * REQUESTS nested<16,4> 16
 * REQUESTS nested<8,8> 16
 * REQUESTS nested<16,8> 32
 * REQUESTS nested<4,16> 16
 * REQUESTS nested<32,2> 16
 * REQUESTS halving<32> 11
 * REQUESTS halving<4> 5
 * REQUESTS growing<64> 25
 * REQUESTS growing<8> 4
 * REQUESTS once_at_most 2
 * REQUESTS at_run_time 32
 *
 * From clang 16 on, a sum in memory is stored once, behind the loop, and marked (cpucc's README).
 * EXPECT signed_end global_store 18|sum
 * EXPECT unsigned_end global_store 18|sum
 */
#include <cuda_runtime.h>

enum { PITCH = 260 };

/* ROUNDS rounds of a body with MORE multiplications. */
template <int ROUNDS, int MORE>
__global__ void rounds(const float *in, float *out, int n)
{
    __shared__ float s[32 * PITCH];
    for (int i = threadIdx.x; i < 32 * PITCH; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
    float v = 0;
    for (int i = 0; i < ROUNDS; i++) {
        v += s[threadIdx.x % 4 * PITCH + i];
#pragma unroll
        for (int k = 0; k < MORE; k++)
            v *= v;
    }
    out[threadIdx.x] = v;
}

/* A pragma decides before anything else does. */
template <int BY>
__global__ void by_pragma(const float *in, float *out, int n)
{
    __shared__ float s[32 * PITCH];
    for (int i = threadIdx.x; i < 32 * PITCH; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
    float v = 0;
#pragma unroll BY
    for (int i = 0; i < 64; i++)
        v += s[threadIdx.x % 4 * PITCH + i];
    out[threadIdx.x] = v;
}

/* Loops in loops: the inner one is a part of the outer one's body. */
template <int OUTER, int INNER>
__global__ void nested(const float *in, float *out, int n)
{
    __shared__ float s[32 * PITCH];
    for (int i = threadIdx.x; i < 32 * PITCH; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
    float v[INNER] = {0}, sum = 0;
    for (int k = 0; k < OUTER; k++)
        for (int i = 0; i < INNER; i++)
            v[i] += s[i * PITCH + k] * in[threadIdx.x + k * n];
    for (int i = 0; i < INNER; i++)
        sum += v[i];
    out[threadIdx.x] = sum;
}

/* A barrier in the loop changes nothing. In the last round two words lie side by side. */
template <int FROM>
__global__ void halving(const float *in, float *out, int n)
{
    __shared__ float s[32 * PITCH];
    for (int i = threadIdx.x; i < 32 * PITCH; i += blockDim.x)
        s[i] = in[i];
    float v = 0;
    for (int stride = FROM; stride; stride /= 2) {
        __syncthreads();
        unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
        v += s[at] * s[at + stride];
    }
    out[threadIdx.x] = v;
}

/* The inner loop's rounds are known once the outer one is unrolled. */
template <int TO>
__global__ void growing(const float *in, float *out, int n)
{
    __shared__ float s[32 * PITCH];
    for (int i = threadIdx.x; i < 32 * PITCH; i += blockDim.x)
        s[i] = in[i];
    float v = 0;
    for (unsigned size = 2; size < TO; size <<= 1)
        for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
            __syncthreads();
            unsigned at = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
            v += s[at] * s[at + stride];
        }
    out[threadIdx.x] = v;
}

/* The number of rounds comes with the launch. */
__global__ void at_run_time(const float *in, float *out, int n)
{
    __shared__ float s[32 * PITCH];
    for (int i = threadIdx.x; i < 32 * PITCH; i += blockDim.x)
        s[i] = in[i];
    __syncthreads();
    float v = 0;
    for (int i = 0; i < n; i++)
        v += s[threadIdx.x % 4 * PITCH + i];
    out[threadIdx.x] = v;
}

/* A sum in memory, rounds of the launch's number: of four copies the last one stores, for what they read
 * cannot be the sum. Also where the end is unsigned, as gridDim.x is. */
__global__ void signed_end(const float *in, float *out, int n)
{
    if (threadIdx.x == 0)
        for (int i = 1; i < n; i++)
            out[0] += out[i];
}
__global__ void unsigned_end(const float *in, float *out, int n)
{
    if (threadIdx.x == 0)
        for (int i = 1; i < (unsigned)n; i++)
            out[0] += out[i];
}
/* The inner loop has one round at most, since thread numbers are below 1024: it stays a loop, and the
 * loads of two columns do not become one. */
__global__ void once_at_most(const float *in, float *out, int n)
{
    __shared__ float s[512];
    int length = min(256, n);
    for (int i = threadIdx.x; i < 2 * length; i += 32)
        s[i] = in[i];
    __syncthreads();
    for (int col = 0; col < 2; col++)
        for (int row = threadIdx.x; row < length; row += 256)
            out[col * n + row] = s[2 * row + col];
}
static float *in, *out;
static void run(void (*kernel)(const float *, float *, int)) { kernel<<<1, 32>>>(in, out, 64); }

int main()
{
    cudaMalloc(&in, 1 << 16);
    cudaMalloc(&out, 1 << 16);
    cudaMemset(in, 0, 1 << 16);
    cudaMemset(out, 0, 1 << 16);
    run(rounds<4, 0>), run(rounds<32, 0>), run(rounds<64, 0>), run(rounds<128, 0>);
    run(rounds<256, 0>), run(rounds<30, 0>), run(rounds<4, 100>);
    run(rounds<4, 90>), run(rounds<64, 4>), run(rounds<64, 12>), run(rounds<64, 30>);
    run(rounds<64, 45>), run(rounds<64, 80>), run(rounds<64, 100>), run(rounds<20, 20>);
    run(rounds<16, 18>), run(rounds<18, 60>);
    run(by_pragma<1>), run(by_pragma<2>), run(by_pragma<4>), run(by_pragma<64>);
    run(nested<8, 4>), run(nested<16, 4>), run(nested<8, 8>), run(nested<16, 8>);
    run(nested<4, 16>), run(nested<32, 2>);
    run(halving<32>), run(halving<4>), run(growing<64>), run(growing<8>);
    run(at_run_time), run(once_at_most), run(signed_end), run(unsigned_end);
    return cudaDeviceSynchronize() != cudaSuccess;
}
