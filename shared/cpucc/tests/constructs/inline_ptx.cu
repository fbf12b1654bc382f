/* Inline PTX in its spellings: asm, __asm__, volatile and __volatile__; operands of every kind. */
#include "constructs.h"
#include <stdint.h>

__device__ __forceinline__ unsigned lane()
{
    unsigned r;
    asm __volatile__("mov.u32 %0, %%laneid;" : "=r"(r));
    return r;
}

__global__ void spellings(int *out)
{
    unsigned a, b;
    asm("mov.u32 %0, %%tid.x;" : "=r"(a));
    __asm__ __volatile__("add.u32 %0, %1, %2;\n\tmul.lo.u32 %0, %0, %3;"
                         : "=r"(b)
                         : "r"(a), "r"(1), "n"(10)
                         : "memory");
    asm volatile("" ::: "memory");
    out[threadIdx.x] = b + lane();
}

__global__ void kinds(int *out, const float *in)
{
    float f, x, y;
    double d;
    uint16_t h = 3;
    uint64_t l = 1;
    asm("fma.rn.f32 %0, %1, %2, %3;" : "=f"(f) : "f"(1.5f), "f"(2.0f), "f"(0.25f));
    asm("add.f64 %0, %1, 0d3FF0000000000000;" : "=d"(d) : "d"(0.5));
    asm("shl.b64 %0, %0, 40;" : "+l"(l));
    asm("add.u16 %0, %0, %1;" : "+h"(h) : "h"((uint16_t)0xffff));
    asm volatile("ld.global.v2.f32 {%0, %1}, [%2+8];" : "=f"(x), "=f"(y) : "l"(in));
    int r = f == 3.25f && d == 1.5 && l == 1ull << 40 && h == 2 && x == 2 && y == 3;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 ".reg .b32 t, v<3>;\n\t"
                 "mov.b32 t, %1; // a comment\n\t"
                 "setp.gt.s32 p, t, -5;\n\t"
                 "@p add.s32 t, t, 100;\n\t"
                 "@!p add.s32 t, t, 1;\n\t"
                 "mov.u32 v1, t;\n\t"
                 "selp.b32 %0, v1, 0, p;\n\t"
                 "}"
                 : "=r"(out[threadIdx.x])
                 : "r"((int)threadIdx.x - 10));
    if (!r)
        out[threadIdx.x] = -1;
}

__global__ void loops_and_bits(int *out)
{
    unsigned sum, packed, byte, low;
    uint64_t pair;
    asm volatile("{\n\t"
                 ".reg .u32 i;\n\t.reg .pred again;\n\t"
                 "mov.u32 %0, 0;\n\tmov.u32 i, 0;\n"
                 "next:\n\t"
                 "add.u32 %0, %0, i;\n\tadd.u32 i, i, 1;\n\t"
                 "setp.le.u32 again, i, %1;\n\t"
                 "@again bra next;\n\t}"
                 : "=&r"(sum)
                 : "r"(threadIdx.x));
    asm("mov.b64 %0, {%1, %2};" : "=l"(pair) : "r"(1u), "r"(2u));
    asm("{ .reg .b32 hi; mov.b64 {%0, hi}, %1; }" : "=r"(low) : "l"(pair));
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(packed) : "r"(0xaaaau), "r"(0xbbbbu));
    asm("bfe.u32 %0, %1, 8, 8;" : "=r"(byte) : "r"(0x123456u));
    out[threadIdx.x] =
        sum + (pair == 0x200000001ull && low == 1 && packed == 0xbbbbaaaa && byte == 0x34) * 1000;
}

__global__ void memory_and_lanes(int *out)
{
    __shared__ int s[32];
    unsigned at = (unsigned)__cvta_generic_to_shared(&s[threadIdx.x]);
    int v, w, old;
    asm volatile("st.shared.s32 [%0], %1;" ::"r"(at), "r"(-(int)threadIdx.x) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(at ^ 4) : "memory");
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 0x1f, 0xffffffff;" : "=r"(w) : "r"(v), "r"(1));
    asm volatile("atom.global.add.u32 %0, [%1], 1;" : "=r"(old) : "l"(out + 100) : "memory");
    asm volatile("red.global.max.s32 [%0], %1;" ::"l"(out + 101), "r"((int)threadIdx.x) : "memory");
    out[threadIdx.x] = w;
}

__global__ void votes(int *out)
{
    int lane = (int)threadIdx.x, sum, least;
    unsigned same, all, either;
    int pair = lane / 2, everywhere;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(lane - 5));
    asm volatile("redux.sync.min.s32 %0, %1, %2;" : "=r"(least) : "r"(lane - 5), "r"(-1));
    asm volatile("redux.sync.xor.b32 %0, %1, %2;" : "=r"(either) : "r"(1 << lane), "r"(-1));
    asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(same) : "r"(pair), "r"(-1));
    asm volatile("{.reg .pred p;\n match.all.sync.b32 %0|p, %2, %3;\n selp.s32 %1, 1, 0, p;}"
                 : "=r"(all), "=r"(everywhere)
                 : "r"(7), "r"(-1));
    out[lane] = sum == 496 - 160 && least == -5 && either == ~0u && same == 3u << 2 * pair &&
                all == ~0u && everywhere;
}

int main()
{
    spellings<<<1, 32>>>(fresh());
    fetch();
    expect("spellings", host[5], 65);
    float in[4] = {0, 1, 2, 3}, *d;
    cudaMalloc(&d, sizeof in);
    cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice);
    kinds<<<1, 32>>>(fresh(), d);
    fetch();
    expect("predicate holds", host[6], 96);
    expect("predicate fails", host[2], 0);
    loops_and_bits<<<1, 32>>>(fresh());
    fetch();
    expect("loop and bits", host[10], 1055);
    memory_and_lanes<<<1, 32>>>(fresh());
    fetch();
    expect("memory", host[7], -7);
    expect("atomics", host[100] * 100 + host[101], 3231);
    votes<<<1, 32>>>(fresh());
    fetch();
    expect("redux and match", host[9], 1);
    return failures != 0;
}
