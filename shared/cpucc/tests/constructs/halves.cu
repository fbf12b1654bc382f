/* 16-bit floating point: arithmetic, rounding, comparisons, pairs; on the device and on the host. */
#include "constructs.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

__global__ void arithmetic(int *out)
{
    half a = __float2half(1.5f), b = 2.0;
    half2 p = __floats2half2_rn(1, -2), q = __half2half2(b);
    int n = 0;
    out[n++] = (int)(float)(a * b + __hneg(a));                     /* 1 */
    out[n++] = (int)__half2float(hexp2(__hadd(a, a)));              /* 8 */
    out[n++] = (int)(float)__hmax2(p, q).y;                         /* 2 */
    out[n++] = (int)__high2float(__hfma2(p, q, p));                 /* -6 */
    out[n++] = __hbgt2(q, p) + 2 * __hblt2(q, p);                   /* 1 */
    out[n++] = __half2int_rd(__hdiv(a, __float2half(-4)));          /* -1 */
    out[n++] = (int)(1000 * (float)h2rsqrt(__float2half2_rn(4)).x); /* 500 */
    out[n++] = (int)(float)__hadd_sat(a, b);                        /* 1 */
    out[n++] = (int)__heq2_mask(p, __floats2half2_rn(1, 2));        /* 0xffff */
    p += q;
    p *= q;
    out[n++] = (int)(float)p.x + 10 * (int)(float)p.y; /* 6 */
    a++;
    out[n++] = a > b && !__hisnan(a) && __hgeu(a, b); /* 1 */
    __nv_bfloat162 r = __float22bfloat162_rn(make_float2(3, 5));
    float2 s = __bfloat1622float2(__hmul2(r, r));
    out[n++] = (int)(s.x + s.y);                                  /* 34 */
    out[n++] = __bfloat162int_rz(hsqrt(__float2bfloat16(10.0f))); /* 3 */
    __shared__ half2 total;
    if (threadIdx.x == 0)
        total = __float2half2_rn(0);
    __syncthreads();
    atomicAdd(&total, __floats2half2_rn(1, 2));
    __syncthreads();
    out[n++] = (int)__low2float(total) + 100 * (int)__high2float(total); /* 6432 */
    half other = __shfl_xor_sync(~0u, __int2half_rn(threadIdx.x), 31);
    if (threadIdx.x == 0)
        out[n++] = (int)(float)other; /* 31 */
}

/* e4m3 and e5m2: the largest, the least (2^-9 of e4m3), ties, pairs. */
__global__ void eights(int *out)
{
    int n = 0;
    out[n++] = __nv_fp8_e4m3(1.0f).__x;
    out[n++] = __nv_fp8_e4m3(1e9f).__x;
    out[n++] = __nv_fp8_e4m3(__float2half(-460)).__x;
    out[n++] = __nv_cvt_float_to_fp8(500, __NV_NOSAT, __NV_E4M3);
    out[n++] = __nv_fp8_e4m3(0.001953125).__x;
    out[n++] = __nv_fp8_e4m3(0.0009765625f).__x; /* a tie goes to even */
    out[n++] = __nv_fp8_e5m2(1).__x;
    out[n++] = __nv_fp8_e5m2(1e30).__x;
    out[n++] = __nv_cvt_double_to_fp8(1e30, __NV_NOSAT, __NV_E5M2);
    out[n++] = __nv_fp8_e5m2(6.2f).__x;
    __nv_fp8_e4m3 largest;
    largest.__x = 0x7e;
    out[n++] = (int)(float)largest;
    __nv_fp8x2_e5m2 pair(make_float2(1, 96));
    out[n++] = (int)(float2(pair).x + float2(pair).y);
}

int main()
{
    static const int wanted[] = {1, 8, 2, -6, 1, -1, 500, 1, 0xffff, 6, 1, 34, 3, 6432, 31};
    arithmetic<<<1, 32>>>(fresh());
    fetch();
    for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
        expect("arithmetic", host[i], wanted[i]);
    /* 2048 has neighbours 2 apart, 2049 is a tie */
    expect("nearest", (int)(float)__int2half_rn(2049), 2048);
    expect("up", (int)(float)__int2half_ru(2049), 2050);
    expect("down", (int)(float)__int2half_rd(-2049), -2050);
    expect("towards zero", (int)(float)__float2half_rz(-2049), -2048);
    expect("too large", __half_as_ushort(__float2half(1e6f)), 0x7c00);
    expect("smallest", __half_as_ushort(__double2half(5.96e-8)), 1);
    expect("bf16", __bfloat16_as_ushort(__float2bfloat16(1.00390625f)), 0x3f80);
    expect("as a number", (long long)((float)(half(3) / half(2)) * 100), 150);
    eights<<<1, 1>>>(fresh());
    fetch();
    static const int codes[] = {0x38, 0x7e, 0xfe, 0x7f, 0x01, 0x00,
                                0x3c, 0x7b, 0x7c, 0x46, 448,  97};
    for (unsigned i = 0; i < sizeof codes / sizeof *codes; i++)
        expect("8 bits", host[i], codes[i]);
    return failures != 0;
}
