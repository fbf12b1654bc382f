/* What device code finds in the C and C++ libraries: arithmetic, memory, printf, assert, new. */
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <limits>
#include <string>
#include "constructs.h"
#include <cuda.h>

struct Node {
    int value;
    Node *next;
    __device__ Node(int v, Node *n) : value(v), next(n) {}
    __device__ ~Node() { value = -1; }
};

__global__ void arithmetic(int *out, float x, double y)
{
    float sine, cosine;
    int exponent;
    sincosf(x, &sine, &cosine);
    int ok = fabsf(sine * sine + cosine * cosine - 1) < 1e-5f;
    ok += std::sqrt(x * x) == x && sqrt(y * y) == y && sqrtf(4) == 2;
    ok +=
        std::max(1, 2) == 2 && std::min(1.5f, 0.5f) == 0.5f && max(3u, 4u) == 4 && min(1, -1) == -1;
    ok += fabs(pow(2.0, 10.0) - 1024) < 1e-9 && fabsf(powf(2, 3) - 8) < 1e-5f && exp2f(3) == 8;
    ok += floor(-0.5) == -1 && ceilf(0.5f) == 1 && rintf(2.5f) == 2 && truncf(-1.5f) == -1;
    ok += frexp(8.0, &exponent) == 0.5 && exponent == 4 && ldexpf(1, 3) == 8;
    ok += isnan(NAN) && isinf(INFINITY) && !std::isfinite(x / 0) && abs(-3) == 3;
    ok += std::numeric_limits<int>::max() == INT_MAX && FLT_MAX > 1e38f;
    ok +=
        __float2int_rn(1.6f) == 2 && rsqrtf(4) == 0.5f && __saturatef(2) == 1 && fmaf(2, 3, 1) == 7;
    out[threadIdx.x] = ok;
}

__global__ void products(int *out)
{
    char4 a = {1, -2, 3, -4}, b = {5, 6, 7, -128};
    uchar4 c = {1, 2, 3, 255}, d = {5, 6, 7, 255};
    out[0] = __dp4a(a, b, 10) == 10 + 5 - 12 + 21 + 512;
    out[1] = (int)__dp4a(c, d, 10u) == 10 + 5 + 12 + 21 + 65025;
    out[2] = __dp2a_lo(make_short2(100, -3), b, 1) + __dp2a_hi(make_short2(100, -3), b, 1);
}

__global__ void memory(int *out, const int *in)
{
    int a[8], b[8] = {8, 7, 6, 5, 4, 3, 2, 1};
    memcpy(a, b, sizeof a);
    memset(b, 0, sizeof b);
    memcpy(out + threadIdx.x, in + threadIdx.x, sizeof *out);
    Node *list = nullptr;
    for (int i = 0; i < 3; i++)
        list = new Node(i, list);
    int sum = a[threadIdx.x % 8] + b[threadIdx.x % 8];
    while (list) {
        Node *next = list->next;
        sum += list->value;
        delete list;
        list = next;
    }
    int *heap = (int *)malloc(4 * sizeof(int));
    heap[threadIdx.x % 4] = 1;
    sum += heap[threadIdx.x % 4];
    free(heap);
    out[threadIdx.x] += sum;
}

__global__ void prints(const int *p)
{
    assert(p != nullptr);
    if (threadIdx.x == 3)
        printf("%d%% %5.2f|%-4s|%c %llu %ld %x %p%*d\n", -7, 2.5, "ab", 'z', 1ull << 40, -2L, 255u,
               (void *)0, 4, 9);
}

int main()
{
    arithmetic<<<1, 32>>>(fresh(), 1.25f, 2.5);
    fetch();
    expect("arithmetic", host[1], 9);
    products<<<1, 1>>>(fresh());
    fetch();
    expect("sums of products", host[0] && host[1] && host[2] == 483 + 1085, 1);
    int *in = fresh(), *out;
    cudaMalloc(&out, 128);
    cudaMemset(out, 0, 128);
    memory<<<1, 32>>>(out, in);
    cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
    expect("memory", host[2], 6 + 3 + 1);
    CUdeviceptr start;
    size_t bytes;
    expect("address range",
           cuMemGetAddressRange(&start, &bytes, (CUdeviceptr)(out + 5)) == CUDA_SUCCESS &&
               start == (CUdeviceptr)out && bytes == 128,
           1);
    expect("no address range",
           cuMemGetAddressRange(&start, &bytes, (CUdeviceptr)host) == CUDA_ERROR_INVALID_VALUE, 1);
    char text[200] = "", wanted[200];
    fflush(stdout);
    FILE *file = tmpfile();
    FILE *screen = stdout;
    stdout = file;
    prints<<<1, 32>>>(in);
    stdout = screen;
    rewind(file);
    if (!fgets(text, sizeof text, file))
        failures++;
    snprintf(wanted, sizeof wanted, "%d%% %5.2f|%-4s|%c %llu %ld %x %p%*d\n", -7, 2.5, "ab", 'z',
             1ull << 40, -2L, 255u, (void *)0, 4, 9);
    expect("printf", std::string(text) == wanted, 1);
    return failures != 0;
}
