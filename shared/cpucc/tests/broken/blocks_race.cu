/* A block reads what another writes in the same launch. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i];
    if (blockIdx.x == 1)
        out[i] = out[i - 256]; /* FAULT: race_read_after_write */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<4, 256>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
