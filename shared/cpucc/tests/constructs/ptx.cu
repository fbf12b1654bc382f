/* The opcodes of inline PTX that compute, each with a result worked out by hand (PTX ISA, "Instruction Set"). */
#include "constructs.h"

#define RESULT(type, letter, text, ...)                                                            \
    ({                                                                                             \
        type result;                                                                               \
        asm volatile(text : "=" letter(result) : __VA_ARGS__);                                     \
        result;                                                                                    \
    })
#define INT(text, ...) RESULT(int, "r", text, __VA_ARGS__)
#define LONG(text, ...) RESULT(long long, "l", text, __VA_ARGS__)
#define FLOAT(text, ...) RESULT(float, "f", text, __VA_ARGS__)
#define DOUBLE(text, ...) RESULT(double, "d", text, __VA_ARGS__)
#define TEST(what)                                                                                 \
    if (!(what))                                                                                   \
    out[0] = out[0] ? out[0] : __LINE__

/* Whether a comparison of floats holds. */
#define HOLDS(name, a, b)                                                                          \
    INT("{.reg .pred p; setp." name ".f32 p, %1, %2; selp.s32 %0, 1, 0, p;}", "f"(a), "f"(b))

__global__ void integers(int *out)
{
    int a = -7, b = 3;
    TEST(INT("sub.s32 %0, %1, %2;", "r"(a), "r"(b)) == -10);
    TEST(INT("mul24.lo.s32 %0, %1, %2;", "r"(5), "r"(b)) == 15);
    TEST(INT("mul.hi.u32 %0, %1, %2;", "r"(1 << 31), "r"(6)) == 3);
    TEST(INT("mul.hi.s32 %0, %1, %2;", "r"(1 << 31), "r"(6)) == -3);
    TEST(LONG("mul.wide.s32 %0, %1, %2;", "r"(1 << 31), "r"(b)) == -3ll << 31);
    TEST(LONG("mul.hi.s64 %0, %1, %2;", "l"(-1ll), "l"(9ll)) == -1);
    TEST(LONG("mul.hi.u64 %0, %1, %2;", "l"(-1ll), "l"(9ll)) == 8);
    TEST(INT("mad.lo.s32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(1)) == -20);
    TEST(INT("sad.s32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(1)) == 11);
    TEST(INT("sad.u32 %0, %1, %2, %3;", "r"(b), "r"(5), "r"(1)) == 3);
    TEST(INT("div.s32 %0, %1, %2;", "r"(a), "r"(b)) == -2);
    TEST(INT("rem.s32 %0, %1, %2;", "r"(a), "r"(b)) == -1);
    TEST(INT("div.u32 %0, %1, %2;", "r"(a), "r"(1 << 31)) == 1);
    TEST(INT("rem.u32 %0, %1, %2;", "r"(7), "r"(b)) == 1);
    TEST(INT("div.s32 %0, %1, %2;", "r"(1 << 31), "r"(-1)) == 1 << 31);
    TEST(INT("div.u32 %0, %1, %2;", "r"(b), "r"(0)) == -1);
    TEST(INT("min.s32 %0, %1, %2;", "r"(a), "r"(b)) == a);
    TEST(INT("min.u32 %0, %1, %2;", "r"(a), "r"(b)) == b);
    TEST(INT("max.s32 %0, %1, %2;", "r"(a), "r"(b)) == b);
    TEST(INT("max.u32 %0, %1, %2;", "r"(a), "r"(b)) == a);
    TEST(INT("abs.s32 %0, %1;", "r"(a)) == 7);
    TEST(INT("neg.s32 %0, %1;", "r"(a)) == 7);
    TEST(INT("and.b32 %0, %1, %2;", "r"(6), "r"(b)) == 2);
    TEST(INT("or.b32 %0, %1, %2;", "r"(6), "r"(b)) == 7);
    TEST(INT("xor.b32 %0, %1, %2;", "r"(6), "r"(b)) == 5);
    TEST(INT("not.b32 %0, %1;", "r"(6)) == -7);
    TEST(INT("shr.s32 %0, %1, %2;", "r"(a), "r"(1)) == -4);
    TEST(INT("shr.u32 %0, %1, %2;", "r"(a), "r"(31)) == 1);
    TEST(INT("shr.s32 %0, %1, %2;", "r"(a), "r"(40)) == -1);
    TEST(INT("shf.l.wrap.b32 %0, %1, %2, %3;", "r"(1 << 31), "r"(b), "r"(33)) == 7);
    TEST(INT("shf.l.clamp.b32 %0, %1, %2, %3;", "r"(a), "r"(b), "r"(33)) == a);
    TEST(INT("shf.r.wrap.b32 %0, %1, %2, %3;", "r"(6), "r"(1), "r"(1)) == (1 << 31 | 3));
    TEST(INT("popc.b32 %0, %1;", "r"(a)) == 30);
    TEST(INT("clz.b32 %0, %1;", "r"(b)) == 30);
    TEST(INT("brev.b32 %0, %1;", "r"(b)) == 3 << 30);
    TEST(INT("bfe.s32 %0, %1, %2, %3;", "r"(0xf0), "r"(4), "r"(4)) == -1);
    TEST(LONG("bfe.s64 %0, %1, %2, %3;", "l"(-5ll), "r"(100), "r"(200)) == -1); /* the sign */
    TEST(INT("mul24.lo.s32 %0, %1, %2;", "r"(0xffffff), "r"(5)) == -5);
    TEST(INT("cvt.u8.u32 %0, %1;", "r"(300)) == 44);
    TEST(INT("cvt.s32.s8 %0, %1;", "r"(0x80)) == -128);
    TEST(INT("cvt.sat.u8.s32 %0, %1;", "r"(-3)) == 0);
    TEST(INT("cvt.sat.u8.s32 %0, %1;", "r"(300)) == 255);
    TEST(INT("bfi.b32 %0, %1, %2, %3, %4;", "r"(5), "r"(-1), "r"(4), "r"(4)) == (int)0xffffff5f);
    TEST(INT("bfind.s32 %0, %1;", "r"(a)) == 2);
    TEST(INT("bmsk.clamp.b32 %0, %1, %2;", "r"(4), "r"(3)) == 0x70);
    TEST(INT("bmsk.wrap.b32 %0, %1, %2;", "r"(36), "r"(35)) == 0x70);
    TEST(INT("lop3.b32 %0, %1, %2, %3, 0x96;", "r"(1), "r"(2), "r"(7)) == 4); /* xor of three */
}

__global__ void floats(int *out)
{
    float nan = FLOAT("mov.b32 %0, 0x7fffffff;", "n"(0));
    TEST(FLOAT("sub.f32 %0, %1, %2;", "f"(1.f), "f"(3.f)) == -2);
    TEST(FLOAT("mul.f32 %0, %1, %2;", "f"(1.5f), "f"(3.f)) == 4.5f);
    TEST(FLOAT("mul.sat.f32 %0, %1, %2;", "f"(1.5f), "f"(3.f)) == 1);
    TEST(FLOAT("div.rn.f32 %0, %1, %2;", "f"(1.f), "f"(4.f)) == .25f);
    TEST(FLOAT("min.f32 %0, %1, %2;", "f"(1.f), "f"(nan)) == 1);
    TEST(FLOAT("max.f32 %0, %1, %2;", "f"(1.f), "f"(4.f)) == 4);
    TEST(FLOAT("abs.f32 %0, %1;", "f"(-1.f)) == 1);
    TEST(FLOAT("neg.f32 %0, %1;", "f"(-1.f)) == 1);
    TEST(FLOAT("sqrt.rn.f32 %0, %1;", "f"(9.f)) == 3);
    TEST(FLOAT("rsqrt.approx.f32 %0, %1;", "f"(4.f)) == .5f);
    TEST(FLOAT("rcp.rn.f32 %0, %1;", "f"(4.f)) == .25f);
    TEST(DOUBLE("rcp.rn.f64 %0, %1;", "d"(8.)) == .125);
    TEST(FLOAT("ex2.approx.ftz.f32 %0, %1;", "f"(3.f)) == 8);
    TEST(FLOAT("lg2.approx.f32 %0, %1;", "f"(8.f)) == 3);
    TEST(FLOAT("sin.approx.f32 %0, %1;", "f"(0.f)) == 0);
    TEST(FLOAT("cos.approx.f32 %0, %1;", "f"(0.f)) == 1);
    TEST(FLOAT("tanh.approx.f32 %0, %1;", "f"(0.f)) == 0);
    TEST(FLOAT("copysign.f32 %0, %1, %2;", "f"(-1.f), "f"(2.f)) == -2);
    TEST(FLOAT("{.reg .pred p; setp.ne.s32 p, %1, 0; selp.f32 %0, 1.5, 2.5, p;}", "r"(0)) == 2.5f);
    TEST(INT("{.reg .pred p; setp.eq.f32 p, %1, 0.1; selp.s32 %0, 1, 0, p;}", "f"(.1f)) == 1);
    TEST(HOLDS("ne", 1.f, 2.f) && !HOLDS("ne", 1.f, nan) && HOLDS("neu", 1.f, nan));
    TEST(HOLDS("nan", 1.f, nan) && !HOLDS("nan", 1.f, 2.f) && HOLDS("num", 1.f, 2.f));
    TEST(HOLDS("eq", 2.f, 2.f) && HOLDS("lt", 1.f, 2.f) && HOLDS("ge", 2.f, 2.f));
    TEST(INT("cvt.rni.s32.f32 %0, %1;", "f"(2.5f)) == 2);
    TEST(INT("cvt.rzi.s32.f32 %0, %1;", "f"(-2.5f)) == -2);
    TEST(INT("cvt.rmi.s32.f32 %0, %1;", "f"(-2.5f)) == -3);
    TEST(INT("cvt.rpi.s32.f32 %0, %1;", "f"(2.5f)) == 3);
    TEST(INT("cvt.rzi.u32.f32 %0, %1;", "f"(-2.5f)) == 0);
    TEST(INT("cvt.rzi.s32.f32 %0, %1;", "f"(3e10f)) == 0x7fffffff);
    TEST(INT("cvt.rzi.s32.f32 %0, %1;", "f"(nan)) == 0);
    TEST(FLOAT("cvt.rn.f32.s32 %0, %1;", "r"(-3)) == -3);
    TEST(FLOAT("cvt.rn.f32.u32 %0, %1;", "r"(-1)) == 4294967296.f);
    TEST(FLOAT("cvt.rmi.f32.f32 %0, %1;", "f"(-2.5f)) == -3);
    TEST(FLOAT("cvt.sat.f32.f32 %0, %1;", "f"(2.5f)) == 1);
    TEST(FLOAT("cvt.rn.f32.f64 %0, %1;", "d"(.5)) == .5f);
}

__global__ void places(int *out)
{
    __shared__ int s[32];
    unsigned long long generic = (unsigned long long)&s[3], wide;
    int at = (int)__cvta_generic_to_shared(&s[3]), is;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(wide) : "l"(generic));
    TEST(wide == at);
    asm("cvta.shared.u64 %0, %1;" : "=l"(wide) : "l"((unsigned long long)at));
    TEST(wide == generic);
    asm("{.reg .pred p; isspacep.shared p, %1; selp.s32 %0, 1, 0, p;}" : "=r"(is) : "l"(generic));
    TEST(is);
    asm("{.reg .pred p; isspacep.global p, %1; selp.s32 %0, 1, 0, p;}" : "=r"(is) : "l"(out));
    TEST(is);
    TEST(INT("getctarank.shared::cluster.u32 %0, %1;", "r"(at)) == 0);
}

/* An atomic of a word with the value `was` returns it and leaves `becomes`. */
#define ATOMIC(name, was, given, becomes)                                                          \
    *word = was;                                                                                   \
    TEST(INT("atom.global." name " %0, [%1], %2;", "l"(word), "r"(given)) == was &&                \
         *word == becomes)

__global__ void atomics(int *out)
{
    volatile int *word = out + 1;
    ATOMIC("exch.b32", 5, 3, 3);
    ATOMIC("add.s32", 5, -3, 2);
    ATOMIC("inc.u32", 5, 6, 6);
    ATOMIC("inc.u32", 6, 6, 0);
    ATOMIC("dec.u32", 5, 6, 4);
    ATOMIC("dec.u32", 0, 6, 6);
    ATOMIC("and.b32", 5, 3, 1);
    ATOMIC("or.b32", 5, 3, 7);
    ATOMIC("xor.b32", 5, 3, 6);
    ATOMIC("min.s32", 5, -3, -3);
    ATOMIC("min.u32", 5, -3, 5);
    ATOMIC("max.s32", 5, -3, 5);
    ATOMIC("add.f32", 0x3f800000, 0x40000000, 0x40400000); /* 1 + 2 */
    TEST(INT("atom.global.cas.b32 %0, [%1], %2, 9;", "l"(word), "r"(0x40400000)) == 0x40400000 &&
         *word == 9);
}

__global__ void lanes(int *out)
{
    int lane = (int)threadIdx.x, leader, is;
    const char *const line = (const char *)out;
    TEST(INT("{.reg .pred p, q; setp.lt.s32 q, %1, 5; vote.sync.all.pred p, q, -1; selp.s32 %0, 1, "
             "0, p;}",
             "r"(lane)) == 0);
    TEST(INT("{.reg .pred p, q; setp.lt.s32 q, %1, 5; vote.sync.any.pred p, q, -1; selp.s32 %0, 1, "
             "0, p;}",
             "r"(lane)) == 1);
    TEST(INT("{.reg .pred q; setp.lt.s32 q, %1, 5; vote.sync.ballot.b32 %0, q, -1;}", "r"(lane)) ==
         31);
    /* As CUB writes it. */
    TEST(INT("{.reg .pred q; setp.lt.s32 q, %1, 5; vote.ballot.sync.b32 %0, q, -1;}", "r"(lane)) ==
         31);
    TEST(INT("shfl.sync.idx.b32 %0, %1, 7, 0x1f, -1;", "r"(lane)) == 7);
    TEST(INT("shfl.sync.up.b32 %0, %1, 1, 0, -1;", "r"(lane)) == (lane ? lane - 1 : 0));
    TEST(INT("shfl.sync.down.b32 %0, %1, 1, 0x1f, -1;", "r"(lane)) == (lane < 31 ? lane + 1 : 31));
    TEST(INT("activemask.b32 %0;", "n"(0)) == -1);
    asm volatile("{.reg .pred p; elect.sync %0|p, -1; selp.s32 %1, 1, 0, p;}"
                 : "=r"(leader), "=r"(is));
    TEST(leader == 0 && is == (lane == 0));
    asm volatile("bar.warp.sync -1; barrier.cta.sync 0; barrier.sync 0; bar.cta.sync 0; "
                 "nanosleep.u32 10; membar.gl;");
    asm volatile("prefetch.global.L1 [%0]; prefetchu.L1 [%0];" ::"l"(line));
    TEST(INT("ldu.global.s32 %0, [%1];", "l"(out + 1)) == 0);
    TEST(INT("{.reg .pred q; setp.lt.s32 q, %1, 5; barrier.cta.red.popc.u32 %0, 0, q;}",
             "r"(lane)) == 5);
}

__device__ __noinline__ void leave_if(bool leaves)
{
    asm volatile("{.reg .pred p; setp.ne.s32 p, %0, 0; @p exit;}" ::"r"((int)leaves) : "memory");
}

/* Each odd thread stores and leaves; the others go on. */
__global__ void leaving(int *out)
{
    int *own = out + 2 + blockIdx.x * blockDim.x + threadIdx.x;
    *own = 1;
    leave_if(threadIdx.x % 2);
    __syncwarp(0x55555555);
    atomicAdd(out + 1, *own);
}

CONSTRUCT(ptx_exit)
{
    leaving<<<2, 64>>>(fresh());
    fetch();
    expect("threads that did not leave", host[1], 64);
}

CONSTRUCT(ptx)
{
    void (*const kernels[])(int *) = {integers, floats, places, atomics, lanes};
    for (int k = 0; k < 5; k++) {
        int threads = k < 4 ? 1 : 32;
        kernels[k]<<<1, threads>>>(fresh());
        fetch();
        expect("the first line with a wrong result", host[0], 0);
    }
}
