/* What nvcc takes and clang does not: a lone % in PTX, operands without a comma, blanks inside the brackets of a launch, #pragma
 * in a macro, functions that are __device__ only where they are declared, or only where they are defined, and deduction
 * guides in device code. */
#include "constructs.h"
#include <string.h>

// clang-format off
#define SMID(r) asm volatile("mov.u32 %0, %smid;" : "=r"(r))

#define UNROLL #pragma unroll 4
class Counter { public: Counter(int *at); void add(int); static int *of(int *p) ;
    private: int *at; };
inline __device__ Counter::Counter(int *p) { at = p; }
__device__ void Counter::add(int by) {
    UNROLL
    for (int i = 0; i < 4; i++) *at += by;
}
__device__ int *Counter::of(int *p) { return p; }
template <class T> struct Row { T *d; Row(T *);
    struct At { T *p; T &operator*(); }; At at(int) const; template <class U> U as(int) const;
    __device__ T first(); __host__ __device__ int operator()(int) const; operator T *() const; };
template <class T> __host__ __device__ Row<T>::Row(T *p) : d(p) {}
template <class T> __device__ T &Row<T>::At::operator*() { return *p; }
template <class T> __device__ typename Row<T>::At Row<T>::at(int i) const { return {d + i}; }
template <class T> template <class U> __device__ U Row<T>::as(int i) const { return (U)d[i]; }
template <class T> T Row<T>::first() { return *d; }
template <class T> int Row<T>::operator()(int i) const { return d[i]; }
template <class T> __host__ __device__ Row<T>::operator T *() const { return d; }
int twice(int);
__host__ __device__ int twice(int n) { return 2 * n; }
__global__ void members(int *out)
{
    Counter c(Counter::of(out + threadIdx.x));
    c.add(1);
    Row<int> r(out + threadIdx.x);
    *r.at(0) *= r.as<short>(0) + r.first() + r(0) + twice(*r) - 4;
}

template <class T, int N = 1> struct Span { T *p; static constexpr int size = N; };
template <class T>
Span(T *) -> Span<T, 2>;   Span( char *) -> Span <char, (4 > 3)>;
template <class T> struct Box { T held; __device__ Box(int n) : held(n) {} };
template <class T> explicit Box(T) -> Box<long>;
__global__ void guided(int *out)
{
    Span a{out + threadIdx.x}, b{out};
    Span c{(char *)out};
    a.p[0] = 1000 * (int)sizeof(Box(3).held) + 100 * a.size + 10 * b.size + c.size;
}

__device__ unsigned lane()
{
    unsigned r;
    asm("mov.u32 %0, %laneid;" : "=r"(r));
    return r;
}

__global__ void registers(int *out)
{
    unsigned smid, x, y;
    SMID(smid);
    asm volatile("add.u32 %0, %1, %2;" : "=r"(x) : "r"(smid)
                 "r"(1));
    asm volatile("{\n\t.reg .u32 t;\n\t"
                 "mov.u32 t, %tid.x;\n\tmov.u32 %0, t;\n\tmov.u32 %1, %ntid.x;\n\t"
                 "}" : "=r"(x), "=r"(y));
    out[threadIdx.x] = lane() == threadIdx.x % 32 && x == threadIdx.x && y == 64 && smid < 1000;
}

template <int N> __global__ void add(int *out) { out[threadIdx.x] += N; }

CONSTRUCT(respelled)
{
    int *out = fresh();
    registers << <1, 64 >> > (out);
    add<3> <<<dim3(1), 128 >> 1 >> >(out); /* a "quote, a comment: << <1, 1 >> >( */
    add<4><< <
        1, 64
        >> > (out);
    fetch();
    for (int i = 0; i < 64; i++)
        expect("sum", host[i], 8);
    members<<<1, 64>>>(out);
    fetch();
    expect("members", host[5], 12 * 56 + (int)(Row<int>(host) - host) + twice(0));
    guided<<<1, 64>>>(out);
    fetch();
    expect("deduction guides", host[9], 8221);
    const char *text = "a %laneid << <1, 1 >> >()";
    expect("a string's length", (long long)strlen(text), 25);
    expect("the line", __LINE__, 91);
}
// clang-format on
