/* What nvcc takes and clang does not: a lone % in PTX, operands without a comma, and blanks inside the brackets of a launch. */
#include "constructs.h"
#include <string.h>

// clang-format off
#define SMID(r) asm volatile("mov.u32 %0, %smid;" : "=r"(r))

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
    const char *text = "a %laneid << <1, 1 >> >()";
    expect("a string's length", (long long)strlen(text), 25);
    expect("the line", __LINE__, 42);
}
// clang-format on
