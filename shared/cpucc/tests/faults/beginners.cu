/* Faults as beginners make them: sizes, directions, indices, barriers. */
#include "../order/order.h"
#include <cstdlib>

__global__ void fillWith(double *a, int n, double v)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        a[i] = v; /* FAULT: out_of_bounds */
}
CASE(elements_without_size)
{
    double *d;
    cudaMalloc(&d, 1000);
    fillWith<<<1, 64>>>(d, 1000, 2.0);
}

__global__ void left_neighbour(const int *in, int *out)
{
    unsigned i = threadIdx.x;
    out[i] = in[i - 1]; /* FAULT: out_of_bounds */
}
CASE(unsigned_underflow) { left_neighbour<<<1, 32>>>(ints(32), ints(32)); }

__global__ void rowSum(const float *m, float *sum, int rows, int cols)
{
    int r = threadIdx.x;
    float s = 0;
    for (int c = 0; c <= cols; c++)
        s += m[r * cols + c]; /* FAULT: out_of_bounds */
    sum[r] = s;
}
CASE(inclusive_loop) { rowSum<<<1, 4>>>((float *)ints(32), (float *)ints(4), 4, 8); }

__global__ void blur(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= height || y >= width)
        return;
    out[y * width + x] = in[y * width + x]; /* FAULT: out_of_bounds */
}
CASE(width_and_height_swapped)
{
    blur<<<dim3(4, 4), dim3(16, 16)>>>((unsigned char *)ints(20 * 50 / 4),
                                       (unsigned char *)ints(20 * 50 / 4), 50, 20);
}

__global__ void stencil3(const float *in, float *out, int n)
{
    __shared__ float s[34];
    int i = blockIdx.x * 32 + threadIdx.x;
    s[threadIdx.x + 1] = in[i];
    if (threadIdx.x == 0) {
        s[0] = in[i - 1]; /* FAULT: out_of_bounds */
        s[33] = in[i + 32 < n ? i + 32 : i];
    }
    __syncthreads();
    out[i] = s[threadIdx.x] + s[threadIdx.x + 1] + s[threadIdx.x + 2];
}
CASE(halo_of_the_border) { stencil3<<<2, 32>>>((float *)ints(64), (float *)ints(64), 64); }

__global__ void stencil5(const float *in, float *out, int n)
{
    __shared__ float s[36];
    int i = blockIdx.x * 32 + threadIdx.x;
    s[threadIdx.x + 2] = in[i];
    if (threadIdx.x < 2 && i >= 2)
        s[threadIdx.x] = in[i - 2];
    if (threadIdx.x >= 30 && i + 2 < n)
        s[threadIdx.x + 4] = in[i + 2];
    __syncthreads();
    float v = 0;
    for (int k = 0; k < 5; k++)
        v += s[threadIdx.x + k]; /* FAULT: uninitialised */
    out[i] = v;
}
CASE(halo_not_loaded) { stencil5<<<2, 32>>>((float *)ints(64), (float *)ints(64), 64); }

__global__ void copy4(const float *in, float *out, int cols)
{
    const float4 *row = (const float4 *)(in + blockIdx.x * cols);
    float4 v = row[threadIdx.x]; /* FAULT: misaligned */
    out[blockIdx.x * 32 + threadIdx.x] = v.x + v.y + v.z + v.w;
}
CASE(float4_of_odd_rows) { copy4<<<2, 2>>>((float *)ints(34), (float *)ints(64), 9); }

__global__ void carve(double *out)
{
    extern __shared__ unsigned char raw[];
    unsigned char *flags = raw;
    double *sums = (double *)(raw + 33);
    flags[threadIdx.x] = 1;
    sums[threadIdx.x] = threadIdx.x; /* FAULT: misaligned */
    __syncthreads();
    out[threadIdx.x] = sums[31 - threadIdx.x] + flags[0];
}
CASE(carved_by_bytes) { carve<<<1, 32, 33 + 33 * 8>>>((double *)ints(64)); }

__global__ void average(const float *in, float *out)
{
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x]; /* FAULT: race_write_after_read */
    float total = 0;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 64; i++)
            total += s[i]; /* FAULT: race_read_after_write, uninitialised */
        *out = total / 64;
    }
}
CASE(sum_before_all_wrote) { average<<<1, 64>>>((float *)ints(64), (float *)ints(1)); }

__global__ void reduce(const int *in, int *out)
{
    __shared__ int s[128];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    for (unsigned k = 64; k; k >>= 1) {
        __syncthreads();
        if (t < k)
            s[t] += s[t + k];
    }
    if (t == 1)
        out[0] = s[0]; /* FAULT: race_read_after_write */
}
CASE(reduction_in_one_loop) { reduce<<<1, 128>>>(ints(128), ints(1)); }

__global__ void mm(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[8][8], bs[8][8];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, col = blockIdx.x * 8 + x;
    float sum = 0;
    for (int t = 0; t < n; t += 8) {
        as[y][x] = a[row * n + t + x];   /* FAULT: race_write_after_read */
        bs[y][x] = b[(t + y) * n + col]; /* FAULT: race_write_after_read */
        __syncthreads();
        for (int k = 0; k < 8; k++)
            sum += as[y][k] * bs[k][x]; /* FAULT: race_read_after_write */
    }
    c[row * n + col] = sum;
}
CASE(tile_loop_second_barrier)
{
    mm<<<dim3(2, 2), dim3(8, 8)>>>((float *)ints(256), (float *)ints(256), (float *)ints(256), 16);
}

__global__ void smooth(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = a[i];
    if (i > 0 && i < n - 1)
        v = (a[i - 1] + a[i] + a[i + 1]) / 3; /* FAULT: race_read_after_write */
    __syncthreads();
    a[i] = v; /* FAULT: race_write_after_read */
}
CASE(global_scratch_between_blocks) { smooth<<<4, 32>>>((float *)ints(128), 128); }

__device__ int found;
__global__ void search(const int *a, int x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (a[i] == x)
        /* FAULT: race_write_after_read, race_read_after_write, race_write_after_write */
        found = found + 1;
}
CASE(plain_counter) { search<<<2, 32>>>(ints(64), 0); }

__global__ void argmax(const int *a, int *best, int *where)
{
    int i = threadIdx.x;
    if (a[i] >= atomicMax(best, a[i]))
        *where = i; /* FAULT: race_write_after_write */
}
CASE(index_of_the_maximum) { argmax<<<1, 64>>>(ints(64), ints(1), ints(1)); }

__device__ float coefficients[8];
__global__ void use(const float *c, float *out)
{
    out[threadIdx.x] = c[threadIdx.x]; /* FAULT: out_of_bounds */
}
CASE(address_of_a_symbol) { use<<<1, 8>>>((const float *)&coefficients, (float *)ints(8)); }

__constant__ float taps[5];
CASE(symbol_too_long)
{
    float h[8] = {};
    cudaMemcpyToSymbol(taps, h, sizeof h); /* FAULT: out_of_bounds */
}

CASE(input_to_the_wrong_side)
{
    float h[32] = {}, *d = (float *)ints(32);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost); /* FAULT: copy_direction */
}

CASE(malloc_and_cuda_free)
{
    int *p = (int *)malloc(100);
    cudaFree(p); /* FAULT: bad_free */
}

__global__ void row_max(const float *m, float *out, int cols)
{
    float best;
    for (int c = 0; c < cols; c++)
        if (m[threadIdx.x * cols + c] > best) /* FAULT: uninitialised */
            best = m[threadIdx.x * cols + c];
    out[threadIdx.x] = best; /* FAULT: uninitialised */
}
CASE(maximum_without_a_start) { row_max<<<1, 4>>>((float *)ints(16), (float *)ints(4), 4); }
