/* What nvcc takes and clang does not: a lone % in PTX, operands without a comma, blanks inside the brackets of a launch, #pragma
 * in a macro, and members that are __device__ only where they are defined. */
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
__global__ void members(int *out)
{
    Counter c(Counter::of(out + threadIdx.x));
    c.add(1);
    out[threadIdx.x] *= 16;
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
    expect("members", host[5], 192);
    const char *text = "a %laneid << <1, 1 >> >()";
    expect("a string's length", (long long)strlen(text), 25);
    expect("the line", __LINE__, 62);
}
// clang-format on
