/* Step 00: a bulk copy that reads past the input. */
#include "broken.h"

__global__ void broken_kernel(const float *in, float *out)
{
    __shared__ __align__(128) float tile[1024];
    __shared__ uint64_t full;
    mbarrier_init(&full, 1);
    fence_mbarrier_init();
    mbarrier_arrive_expect(&full, 4096);
    bulk_load(tile, in + 64, 4096, &full); /* FAULT: out_of_bounds */
    mbarrier_wait(&full, 0);
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<1, 1>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
