/* Step 00: a bulk copy of a size that is no multiple of 16. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    __shared__ __align__(128) float tile[1024];
    __shared__ uint64_t full;
    mbarrier_init(&full, 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect(&full, 4092);
    bulk_load(tile, in, 4092, &full); /* FAULT: copy_refused */
    mbarrier_wait(&full, 0);
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 1>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
