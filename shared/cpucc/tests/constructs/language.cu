/* The language: what nvcc takes in kernels, launches and declarations. */
#include <cuda_fp16.h>
#include <cstddef>
#include <optional>
#include <variant>
#include "constructs.h"

/* ---- kernels ---- */

/* Kernels of every kind, and every way to launch them. */
namespace kernels_
{
namespace
{
__global__ void unnamed(int *out) { out[threadIdx.x] = 1; }
} // namespace
extern "C" __global__ void in_c(int *out) { out[threadIdx.x] = 2; }
__global__ void __launch_bounds__(256) bounds_behind(int *out) { out[threadIdx.x] = 3; }
__launch_bounds__(256, 2) __global__ void bounds_before(int *out) { out[threadIdx.x] = 4; }
struct Holder {
    static __global__ void member(int *out) { out[threadIdx.x] = 5; }
    template <int N>
    static void launch(int *out);
};
template <int N, bool ODD = false>
__global__ void numbers(int *out)
{
    out[threadIdx.x] = N + ODD;
}
template <int N>
void Holder::launch(int *out)
{
    numbers<N, true><<<1, 32>>>(out);
}

struct Big {
    int values[40];
    char tail;
};
__global__ void arguments(int *out, bool b, signed char c, short s, long long l, double d, float4 v,
                          Big big, __half h, const int (&array)[3], dim3 n)
{
    out[0] = b + c + s + (int)l + (int)d + (int)v.w + big.values[39] + big.tail + (int)(float)h;
    out[1] = n.y;
    big.values[0] = 7; /* a copy of one's own */
    out[2] = big.values[0];
    (void)array;
}

template <class T, int N>
__device__ T sum(const T (&values)[N])
{
    T s = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        s += values[i];
    return s;
}

__global__ void shared_by_type(int *out)
{
    extern __shared__ double d[];
    int *i = (int *)(d + blockDim.x);
    __shared__ int few[4];
    d[threadIdx.x] = threadIdx.x + 0.5;
    i[threadIdx.x] = threadIdx.x;
    if (threadIdx.x < 4)
        few[threadIdx.x] = 10;
    __syncthreads();
    out[threadIdx.x] = (int)(2 * d[31 - threadIdx.x]) + i[threadIdx.x] + sum(few);
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void control(int *out, int n)
{
    int r = 0;
    switch (n + threadIdx.x) {
    case 0: r = 1; break;
    case 1: r = 3;
    case 2: r += 4; break;
    case 3: goto end;
    case 4: r = 6; break;
    default: r = fibonacci(threadIdx.x % 8);
    }
    r += 100;
end:
    out[threadIdx.x] = r;
}

#define LAUNCH(kernel, ...) kernel<<<1, 32>>>(__VA_ARGS__)
template <class K>
void launch_any(K kernel, int *out)
{
    kernel<<<dim3(1), dim3(32, 1)>>>(out);
}

CONSTRUCT(kernels)
{
    void (*kernels[])(int *) = {unnamed, in_c, bounds_behind, bounds_before, Holder::member};
    for (int i = 0; i < 5; i++) {
        kernels[i]<<<1, 32>>>(fresh());
        fetch();
        expect("by pointer", host[31], i + 1);
    }
    LAUNCH((numbers<7, true>), fresh());
    fetch();
    expect("in a macro", host[0], 8);
    Holder::launch<20>(fresh());
    fetch();
    expect("in a template", host[0], 21);
    [](int *out) { launch_any(numbers<3>, out); }(fresh());
    fetch();
    expect("in a lambda", host[0], 3);
    int *out = fresh();
    void *arguments_of_it[] = {&out};
    cudaLaunchKernel((const void *)in_c, dim3(1), dim3(32), arguments_of_it, 0, 0);
    fetch();
    expect("cudaLaunchKernel", host[9], 2);
    cudaLaunchConfig_t how = {};
    how.gridDim = how.blockDim = dim3(1);
    cudaLaunchKernelEx(&how, numbers<5>, fresh());
    fetch();
    expect("cudaLaunchKernelEx", host[0], 5);

    Big big = {};
    big.values[39] = 1000;
    big.tail = 1;
    static int three[3];
    arguments<<<1, 1>>>(fresh(), true, -2, 300, 4LL, 5.5, make_float4(0, 0, 0, 60), big,
                        __float2half(70), three, dim3(1, 9));
    fetch();
    expect("arguments", host[0], 1 - 2 + 300 + 4 + 5 + 60 + 1001 + 70);
    expect("a struct with constructors", host[1], 9);
    expect("a changed argument", host[2], 7);
    expect("the caller's", big.values[0], 0);
    cudaFuncSetAttribute(shared_by_type, cudaFuncAttributeMaxDynamicSharedMemorySize, 60000);
    shared_by_type<<<1, 32, 50000>>>(fresh());
    fetch();
    expect("shared memory", host[3], 57 + 3 + 40);
    control<<<1, 32>>>(fresh(), 0);
    fetch();
    expect("switch", host[0] * 1000000 + host[1] * 1000 + host[2], 101107104);
    expect("goto, recursion", host[3] * 1000 + host[15], 113);
    in_c<<<1, 2000>>>(fresh());
    expect("too many threads", cudaGetLastError(), cudaErrorInvalidConfiguration);
}
} // namespace kernels_

/* ---- default arguments ---- */

/* Default arguments of kernels, of templates among them. */
namespace default_arguments_
{
__global__ void set(int *p, int v = 5) { p[threadIdx.x] = v; }
template <int N = 3, class T = int>
__global__ void several(T *p, int a = N, float b = 1.5f)
{
    p[threadIdx.x] = (T)(a * 10 + b * 2);
}
__global__ void declared(int *p, const int *q = nullptr, dim3 d = dim3(4, 2));
__global__ void declared(int *p, const int *q, dim3 d) { p[threadIdx.x] = q ? 1 : d.x * d.y; }

CONSTRUCT(default_arguments)
{
    set<<<1, 4>>>(fresh());
    fetch();
    expect("left out", host[0], 5);
    set<<<1, 4>>>(fresh(), 6);
    fetch();
    expect("given", host[0], 6);
    several<<<1, 4>>>(fresh());
    fetch();
    expect("template's", host[0], 33);
    several<7><<<1, 4>>>(fresh(), 4);
    fetch();
    expect("one of two", host[0], 43);
    declared<<<1, 4>>>(fresh());
    fetch();
    expect("of a declaration", host[0], 8);
}
} // namespace default_arguments_

/* ---- same name ---- */

/* A host function named like the kernel that it launches, told apart by its parameters. */
namespace same_name_
{
__global__ void scale(int *p, int a) { p[threadIdx.x] += a; }
void scale(int *p, int a, int n) { scale<<<1, n>>>(p, a); }

template <class T>
__global__ void fill(T *p, T v)
{
    p[threadIdx.x] = v;
}
template <class T>
void fill(T *p, T v, int n)
{
    fill<T><<<1, n>>>(p, v);
}

namespace steps
{
__global__ void run(int *p) { p[threadIdx.x] = 11; }
void run(int *p, int n) { run<<<1, n>>>(p); }
} // namespace steps

CONSTRUCT(same_name)
{
    scale(fresh(), 3, 32);
    fetch();
    expect("plain", host[31], 3);
    fill(fresh(), 4, 16);
    fetch();
    expect("template", host[15] * 10 + host[16], 40);
    steps::run(fresh(), 8);
    fetch();
    expect("namespace", host[7], 11);
}
} // namespace same_name_

/* ---- trailing return ---- */

/* Trailing return types of kernels and of device functions. */
namespace trailing_return_
{
__device__ auto half_of(int v) -> int { return v / 2; }
template <class T, class U>
__device__ auto sum(T a, U b) -> decltype(a + b)
{
    return a + b;
}

__global__ auto plain(int *out) -> void
{
    __shared__ int s[32];
    s[threadIdx.x] = half_of(2 * threadIdx.x + 200);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
template <class T>
__global__ auto of_template(T *out) -> void
{
    extern __shared__ float d[];
    d[threadIdx.x] = sum(threadIdx.x, 0.5f);
    out[threadIdx.x] = (T)d[threadIdx.x];
}
auto launch(int *out) -> int
{
    of_template<<<1, 32, 128>>>(out);
    return 1;
}

CONSTRUCT(trailing_return)
{
    plain<<<1, 32>>>(fresh());
    fetch();
    expect("kernel", host[5], 105);
    expect("host function", launch(fresh()), 1);
    fetch();
    expect("template", host[9], 9);
}
} // namespace trailing_return_

/* ---- lambdas ---- */

/* Lambdas in kernels, and passed to them. */
namespace lambdas_
{
__global__ void inside(int *out)
{
    int base = 100;
    auto add = [=](int i) { return base + i; };
    auto twice = [&base] { base *= 2; };
    twice();
    auto both = [](auto a, auto b) { return a * b; };
    out[threadIdx.x] = add(threadIdx.x) + both(base, 1);
}

template <class F>
__global__ void apply(F f, int *out)
{
    out[threadIdx.x] = f(threadIdx.x);
}
template <class F>
__device__ int call(F f, int i)
{
    return f(i);
}

__global__ void shares(int *out)
{
    __shared__ int s[32];
    auto put = [&](int i, int v) { s[i] = v; };
    put(threadIdx.x, threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = call([&](int i) { return s[i] * 2; }, 31 - threadIdx.x);
}

CONSTRUCT(lambdas)
{
    inside<<<1, 32>>>(fresh());
    fetch();
    expect("in a kernel", host[4], 304);
    int k = 7;
    apply<<<1, 32>>>([=] __device__(int i) { return i * k; }, fresh());
    fetch();
    expect("passed", host[3], 21);
    apply<<<1, 32>>>([k] __host__ __device__(int i) -> int { return i + k; }, fresh());
    fetch();
    expect("of both sides", host[3], 10);
    shares<<<1, 32>>>(fresh());
    fetch();
    expect("over shared memory", host[1], 60);
}
} // namespace lambdas_

/* ---- function pointers ---- */

/* Pointers to device functions: in tables, as arguments, taken by kernels; virtual functions. */
namespace function_pointers_
{
typedef int (*Operation)(int);
__device__ int twice(int v) { return 2 * v; }
__device__ int square(int v) { return v * v; }
__device__ Operation operations[2] = {twice, square};
__device__ Operation pointer = square;

__global__ void table(int *out) { out[threadIdx.x] = operations[threadIdx.x % 2](threadIdx.x); }
__global__ void passed(Operation f, int *out) { out[threadIdx.x] = f(threadIdx.x); }
__global__ void mixed(float (*f)(float, const float *), int *out)
{
    float one = 1;
    out[threadIdx.x] = (int)f(threadIdx.x, &one);
}
__device__ float add(float a, const float *b) { return a + *b; }
__device__ float (*adding)(float, const float *) = add;

struct Shape {
    __device__ virtual int sides() const { return 0; }
};
struct Square : Shape {
    __device__ int sides() const override { return 4; }
};
__device__ __noinline__ int ask(const Shape *s) { return s->sides(); }
__global__ void virtuals(int *out)
{
    Square s;
    Shape t;
    out[threadIdx.x] = ask(&s) * 10 + ask(&t);
}

CONSTRUCT(function_pointers)
{
    table<<<1, 32>>>(fresh());
    fetch();
    expect("even", host[6], 12);
    expect("odd", host[7], 49);
    Operation f;
    cudaMemcpyFromSymbol(&f, pointer, sizeof f);
    passed<<<1, 32>>>(f, fresh());
    fetch();
    expect("passed", host[5], 25);
    float (*g)(float, const float *);
    cudaMemcpyFromSymbol(&g, adding, sizeof g);
    mixed<<<1, 32>>>(g, fresh());
    fetch();
    expect("several arguments", host[5], 6);
    virtuals<<<1, 32>>>(fresh());
    fetch();
    expect("virtual", host[0], 40);
}
} // namespace function_pointers_

/* ---- variables ---- */

/* Variables of the device: initialised, static, managed, constant; by name and by address. */
namespace variables_
{
__device__ int counter = 5;
static __device__ float table[4] = {1, 2, 3, 4};
__constant__ int factors[2];
__managed__ int both = 3;
const int three = 3;
constexpr float halves[] = {0.5f, 1.5f};
namespace inside
{
__device__ short small[3] = {7, 8, 9};
}

__global__ void use(int *out)
{
    static __device__ int calls = 10;
    const int local[5] = {5, 4, 3, 2, 1};
    if (threadIdx.x == 0) {
        counter += factors[1];
        both *= 2;
        calls++;
    }
    __syncthreads();
    out[threadIdx.x] = counter + (int)table[threadIdx.x % 4] + three +
                       (int)(2 * halves[threadIdx.x % 2]) + inside::small[2] + calls +
                       local[threadIdx.x % 5];
}

CONSTRUCT(variables)
{
    int f[2] = {100, 1000}, back;
    expect("managed, before", both, 3);
    both = 21;
    cudaMemcpyToSymbol(factors, f, sizeof f);
    use<<<1, 32>>>(fresh());
    fetch();
    expect("values", host[1], 1005 + 2 + 3 + 3 + 9 + 11 + 4);
    expect("managed", both, 42);
    expect("from symbol", cudaMemcpyFromSymbol(&back, counter, 4) * 10000 + back, 1005);
    void *address;
    size_t bytes;
    expect("address", cudaGetSymbolAddress(&address, table), cudaSuccess);
    expect("size", cudaGetSymbolSize(&bytes, table) + bytes, 16);
    float two;
    cudaMemcpy(&two, (char *)address + 4, 4, cudaMemcpyDeviceToHost);
    expect("through the address", (int)two, 2);
    expect("an element's offset", cudaMemcpyFromSymbol(&two, table, 4, 8) + (int)two, 3);
}
} // namespace variables_

/* ---- shared declarators ---- */

/* Several declarators in one __shared__ declaration: each has its own type. */
namespace shared_declarators_
{
__global__ void pointers(int *out)
{
    __shared__ unsigned *p, q;
    if (threadIdx.x == 0) {
        p = &q;
        q = 7;
    }
    __syncthreads();
    out[threadIdx.x] = (int)(sizeof q * 100 + *p + sizeof p);
}

__global__ void mixed(int *out)
{
    __shared__ int a[32], b, *c, (*d)[32];
    __shared__ const int *e;
    a[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0)
        b = 1000, c = a + 1, d = &a, e = &b;
    __syncthreads();
    out[threadIdx.x] = *e + c[2] + (*d)[threadIdx.x];
}

struct Pair {
    int x, y;
};

__global__ void structs(int *out)
{
    __shared__ struct Pair pairs[32], *first;
    __shared__ struct {
        short s[2];
        int i;
    } unnamed;
    pairs[threadIdx.x] = {(int)threadIdx.x, 2};
    if (threadIdx.x == 0)
        first = pairs, unnamed.i = 5, unnamed.s[1] = 6;
    __syncthreads();
    out[threadIdx.x] = first[31 - threadIdx.x].x * first->y + unnamed.i + unnamed.s[1];
}

CONSTRUCT(shared_declarators)
{
    pointers<<<1, 32>>>(fresh());
    fetch();
    expect("pointer and unsigned", host[3], 415);
    mixed<<<1, 32>>>(fresh());
    fetch();
    expect("arrays and pointers", host[4], 1007);
    structs<<<1, 32>>>(fresh());
    fetch();
    expect("structs", host[1], 71);
}
} // namespace shared_declarators_

/* ---- file scope shared ---- */

/* __shared__ variables at file scope, static ones and in a namespace, used by several functions. */
namespace file_scope_shared_
{
__shared__ int tile[32];
static __shared__ float sums[2][4];
namespace inside
{
__shared__ int one;
}
extern __shared__ int dynamic[];

__device__ void put(int i, int v) { tile[i] = v; }

__global__ void exchange(int *out)
{
    put(threadIdx.x, 3 * threadIdx.x);
    if (threadIdx.x == 0)
        inside::one = 5, sums[1][2] = 2.5f;
    dynamic[threadIdx.x] = 1000 * threadIdx.x;
    __syncthreads();
    out[threadIdx.x] =
        tile[31 - threadIdx.x] + inside::one + (int)(2 * sums[1][2]) + dynamic[threadIdx.x ^ 1];
}

__global__ void another(int *out)
{
    tile[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = tile[0] + tile[31];
}

CONSTRUCT(file_scope_shared)
{
    exchange<<<2, 32, 128>>>(fresh());
    fetch();
    expect("of several functions", host[2], 29 * 3 + 10 + 3000);
    another<<<1, 32>>>(fresh());
    fetch();
    expect("of another kernel", host[0], 2);
}
} // namespace file_scope_shared_

/* ---- alignment ---- */

/* Alignment in every place where nvcc takes it. */
namespace alignment_
{
struct alignas(16) Four {
    float v[4];
};
template <class T>
struct Holder {
    alignas(T) unsigned char bytes[sizeof(T)];
    alignas(2 * sizeof(T)) T second;
};
class __align__(8) Pair
{
  public:
    int x, y;
};

__global__ void aligned(int *out)
{
    __shared__ char before;
    __shared__ alignas(1024) int4 a[8];
    alignas(128) __shared__ char b[3];
    __shared__ __align__(256) float c;
    __shared__ alignas(double) char d[8];
    __shared__ int e alignas(64);
    extern __shared__ __align__(512) unsigned char dynamic[];
    before = 1;
    alignas(sizeof(int) > 2 ? 32 : (3 > 4)) int local[2] = {1, 2};
    out[0] = (int)((size_t)a % 1024 + (size_t)b % 128 + (size_t)&c % 256 + (size_t)d % 8 +
                   (size_t)&e % 64 + (size_t)dynamic % 512 + (size_t)local % 32);
    out[1] = before + local[threadIdx.x + 1];
}

CONSTRUCT(alignment)
{
    aligned<<<1, 1, 16>>>(fresh());
    fetch();
    expect("addresses", host[0], 0);
    expect("values", host[1], 3);
    expect("struct", alignof(Four) * 1000 + alignof(Holder<double>) * 10 + alignof(Pair), 16168);
    std::variant<int, double> v = 2.5;
    expect("library", (long long)(std::get<double>(v) * 2) + std::optional<int>(3).value(), 8);
}
} // namespace alignment_

/* ---- arch in host code ---- */

/* __CUDA_ARCH__ is defined in device code and nowhere else. */
namespace arch_in_host_code_
{
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

CONSTRUCT(arch_in_host_code)
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
}
} // namespace arch_in_host_code_

/* ---- uninitialised ---- */

/* A variable without a value passed on: nvcc keeps the branches around it. */
namespace uninitialised_
{
__global__ void broadcast(int *out, int *counter)
{
    int base;
    if (threadIdx.x == 0)
        base = atomicAdd(counter, 32);
    base = __shfl_sync(0xffffffff, base, 0);
    out[threadIdx.x] = base + threadIdx.x;
}

__global__ void bounded(const int *in, int *out, int n)
{
    int v;
    if ((int)threadIdx.x < n)
        v = in[threadIdx.x];
    v = __shfl_down_sync(0xffffffff, v, 1);
    if ((int)threadIdx.x < n - 1)
        out[threadIdx.x] = v;
}

__device__ __noinline__ int choose(int use, int v) { return use ? v : -1; }
__global__ void argument(int *out, int *counter)
{
    int ticket;
    if (threadIdx.x % 8 == 0)
        ticket = atomicAdd(counter, 1);
    out[threadIdx.x] = choose(threadIdx.x % 8 == 0, ticket) < 0;
}

CONSTRUCT(uninitialised)
{
    int *small, ten[10];
    broadcast<<<1, 32>>>(fresh(), fresh() + 500);
    fetch();
    expect("one lane adds", host[500], 32);
    expect("all have its value", host[9], 9);
    for (int i = 0; i < 10; i++)
        ten[i] = i;
    cudaMalloc(&small, sizeof ten);
    cudaMemcpy(small, ten, sizeof ten, cudaMemcpyHostToDevice);
    bounded<<<1, 32>>>(small, fresh(), 10);
    fetch();
    expect("nobody reads behind the end", host[8], 9);
    argument<<<1, 32>>>(fresh(), fresh() + 500);
    fetch();
    expect("four lanes add", host[500], 4);
}
} // namespace uninitialised_
