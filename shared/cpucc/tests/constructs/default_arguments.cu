/* Default arguments of kernels, of templates among them. */
#include "constructs.h"

__global__ void set(int *p, int v = 5) { p[threadIdx.x] = v; }
template <int N = 3, class T = int>
__global__ void several(T *p, int a = N, float b = 1.5f)
{
    p[threadIdx.x] = (T)(a * 10 + b * 2);
}
__global__ void declared(int *p, const int *q = nullptr, dim3 d = dim3(4, 2));
__global__ void declared(int *p, const int *q, dim3 d) { p[threadIdx.x] = q ? 1 : d.x * d.y; }

int main()
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
    return failures != 0;
}
