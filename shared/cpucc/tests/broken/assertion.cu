/* A failed assertion in a kernel. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    assert(in[threadIdx.x] < 20); /* FAULT: assertion */
    out[threadIdx.x] = 0;
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 32>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
