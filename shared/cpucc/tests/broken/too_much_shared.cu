/* More static shared memory than a block may have. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    __shared__ float a[96 * 128], b[128]; /* FAULT: shared_size */
    a[threadIdx.x] = in[threadIdx.x];
    b[threadIdx.x] = a[threadIdx.x];
    out[threadIdx.x] = b[threadIdx.x];
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 32>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
