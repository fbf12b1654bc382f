/* A kernel calls a function of the host through a pointer. */
#include "broken.h"

static float unchanged(float v) { return v; }

__global__ void broken_kernel(const float *in, float *out, float (*f)(float))
{
    out[threadIdx.x] = f(in[threadIdx.x]); /* FAULT: out_of_bounds */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 32>>>(in, out, unchanged);
}

int main() { return check(run, 32, 32, COPY); }
