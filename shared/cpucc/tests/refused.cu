/*
 * What cpucc has no counterpart for is refused when it is compiled: each part for itself, by
 * -DPART, with the file, the line of its comment `REFUSED: NAME`, and that name.
 */
// clang-format off
#ifdef INLINE_PTX
__global__ void k(int *p)
{
    asm volatile("mov.u32 %0, %%laneid;\n\t" /* REFUSED: wgmma.fence.sync.aligned */
                 "wgmma.fence.sync.aligned;"
                 : "=r"(*p));
}
int main() { k<<<1, 1>>>(nullptr); }
#endif
#ifdef MATRIX_OF_OLDER_GPUS
__global__ void k(float *p)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 " /* REFUSED: m8n8k4 */
                 "{%0,%0,%0,%0,%0,%0,%0,%0}, {%1,%1}, {%1,%1}, {%0,%0,%0,%0,%0,%0,%0,%0};"
                 : "+f"(*p)
                 : "r"(0));
}
int main() { k<<<1, 1>>>(nullptr); }
#endif
#ifdef NO_SUCH_INTRINSIC
__global__ void k(int *p) { *p = __nv_no_such_thing(3); } /* REFUSED: __nv_no_such_thing */
int main() { k<<<1, 1>>>(nullptr); }
#endif
#ifdef RUNTIME_API_IN_DEVICE_CODE
__global__ void k() { cudaDeviceSynchronize(); } /* REFUSED: cudaDeviceSynchronize */
int main() { k<<<1, 1>>>(); }
#endif
#ifdef KERNEL_LAUNCHES_A_KERNEL
__global__ void child() {}
__global__ void k() { child<<<1, 1>>>(); } /* REFUSED: dynamic parallelism */
int main() { k<<<1, 1>>>(); }
#endif
#ifdef MODULES_OF_THE_DRIVER
#include <cuda.h>
int main()
{
    CUmodule module; /* REFUSED: CUmodule */
    return 0;
}
#endif
#ifdef GRAPHICS
#include <cuda_gl_interop.h> /* REFUSED: cuda_gl_interop.h */
int main() {}
#endif
#ifdef LIBRARY_NOT_HERE
#include <cufft.h> /* REFUSED: cufft.h */
int main() {}
#endif
#ifdef PART_OF_LIBCUXX
#include <cuda/barrier>
__global__ void k() { __shared__ cuda::semaphore barrier; /* REFUSED: semaphore */ }
int main() { k<<<1, 1>>>(); }
#endif
#ifdef TEXTURE_REFERENCE
texture<float, 2> image; /* REFUSED: texture */
int main() {}
#endif
#ifdef TOO_LARGE_A_VARIABLE
__device__ char a[2000000000];
__global__ void k(int i) { a[i] = 1; } /* REFUSED: 'a' of 2000000000 bytes */
int main() { k<<<1, 1>>>(1); }
#endif
// Malformed PTX: all lines of one kernel are named.
#ifdef MALFORMED_PTX
__global__ void k(unsigned *p)
{
    unsigned x = 0;
    asm("add.s32 %0, 5;" : "+r"(x));                              /* REFUSED: add.s32': it has 2 operands instead of 3 */
    asm("ld.bogus.u32 %0, [%1];" : "=r"(x) : "l"(p));             /* REFUSED: no '.bogus' */
    asm("add.zz %0, %0, 1;" : "+r"(x));                           /* REFUSED: no '.zz' */
    asm("{ .reg .b32 t; mov.b32 t, %0; add.s32 %0, t, 1;" : "+r"(x)); /* REFUSED: brackets that are not closed */
    asm("frobnicate.b32 %0, 1;" : "=r"(x));                       /* REFUSED: 'frobnicate.b32' in this asm is not */
    asm("add %0, %0, 1;" : "+r"(x));                              /* REFUSED: its name lacks a type */
    asm("add.s32 7, %0, 1;" : "+r"(x));                           /* REFUSED: writes to a number */
    asm("add.s32 %1, %1, 1;" : "=r"(x) : "r"(x));                 /* REFUSED: operand %1, which is an input */
    asm("ld.global.u32 %0, %1;" : "=r"(x) : "l"(p));              /* REFUSED: lacks an address */
    asm("ld.global.u32 %0, [%1;" : "=r"(x) : "l"(p));             /* REFUSED: brackets that are not closed */
    asm("mov.b32 %0, 1" : "=r"(x));                               /* REFUSED: no ; at the end */
    asm("mov.b32 %0, other;" : "=r"(x));                          /* REFUSED: no register is called other */
    asm("mov.b32 %0, 1; }" : "=r"(x));                            /* REFUSED: an unexpected } */
    asm("shfl.sync.up.b32 %0, %0, 1, -1;" : "+r"(x));             /* REFUSED: 4 operands instead of 5 */
    asm("ld.global.v4.u32 {%0, %0}, [%1];" : "=r"(x) : "l"(p));   /* REFUSED: 3 operands instead of 5 */
    asm("bra;");                                                  /* REFUSED: operands instead of 1 */
    asm("cvt.u32 %0, %0;" : "+r"(x));                             /* REFUSED: its name lacks a type */
    asm("shfl.sync.idx.b32 %0|%1, %1, 0, 31, -1;" : "=r"(x) : "r"(x)); /* REFUSED: operand %1, which is an input */
    asm("add.s32 %0|%0, %0, 1;" : "+r"(x));                       /* REFUSED: it has no second result */
    asm("elect.sync %0, -1;" : "=r"(x));                          /* REFUSED: 2 operands instead of 3 */
    asm("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1}], [%1];" :: "l"(p), "r"(x)); /* REFUSED: 3 operands instead of 4 */
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0}, {%1,%1,%1,%1,%1,%1,%1}, {%1,%1}, {%1,%1,%1,%1};" : "=r"(x) : "r"(x)); /* REFUSED: shape and these operands */
    asm("@%0 ;" : "+r"(x));                                       /* REFUSED: @ without an instruction */
    *p = x;
}
int main() { k<<<1, 1>>>(0); }
#endif
