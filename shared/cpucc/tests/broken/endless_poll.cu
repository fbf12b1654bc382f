/* A flag that nobody raises. */
#include "broken.h"

__global__ void broken_kernel(const float *in, volatile float *out)
{
    if (threadIdx.x == 0)
        while (out[0] == -1) /* FAULT: endless_wait */
            ;
    out[1] = in[1];
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 32>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
