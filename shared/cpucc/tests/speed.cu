/* Programs whose cost speed.py measures, as CUDA C and as C. usage: speed add|multiply|transpose|nothing N */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { TILE = 32 };
#ifdef __CUDACC__
__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}
__global__ void transpose(const float *in, float *out, int n)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += 8)
        tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int k = 0; k < TILE; k += 8)
        out[(size_t)(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, col = blockIdx.x * TILE + x;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        as[y][x] = a[row * n + t + x];
        bs[y][x] = b[(t + y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[y][k] * bs[k][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
static void *memory(size_t bytes, const void *from)
{
    void *p;
    if (cudaMalloc(&p, bytes))
        exit(3);
    if (from)
        cudaMemcpy(p, from, bytes, cudaMemcpyHostToDevice);
    return p;
}
#else
static void add(const float *a, const float *b, float *c, int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
}
static void transpose(const float *in, float *out, int n)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            out[(size_t)x * n + y] = in[(size_t)y * n + x];
}
static void multiply(const float *a, const float *b, float *c, int n)
{
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[y * n + k] * b[k * n + x];
            c[y * n + x] = sum;
        }
}
#endif
int main(int count, char **argument)
{
    if (count != 3)
        return 2;
    const char *what = argument[1];
    int n = atoi(argument[2]), elements = n * n;
    size_t bytes = sizeof(float) * elements;
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes);
    memset(a, 0, bytes);
    memset(b, 0, bytes);
    if (!strcmp(what, "nothing"))
        return 0;
#ifdef __CUDACC__
    float *x = (float *)memory(bytes, a), *y = *what == 't' ? NULL : (float *)memory(bytes, b),
          *z = (float *)memory(bytes, NULL);
    dim3 tiles(n / TILE, n / TILE);
    if (*what == 'a')
        add<<<(elements + 255) / 256, 256>>>(x, y, z, elements);
    if (*what == 't')
        transpose<<<tiles, dim3(TILE, 8)>>>(x, z, n);
    if (*what == 'm')
        multiply<<<tiles, dim3(TILE, TILE)>>>(x, y, z, n);
    cudaMemcpy(a, z, bytes, cudaMemcpyDeviceToHost);
#else
    float *z = (float *)malloc(bytes);
    if (*what == 'a')
        add(a, b, z, elements);
    if (*what == 't')
        transpose(a, z, n);
    if (*what == 'm')
        multiply(a, b, z, n);
    memcpy(a, z, bytes);
#endif
    printf("%g\n", a[n - 1]);
    return 0;
}
