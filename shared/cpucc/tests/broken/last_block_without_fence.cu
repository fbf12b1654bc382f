/* The last block reads the others' results, which no fence has shown to it. */
#include "broken.h"

__device__ unsigned finished;

__global__ void broken_kernel(const float *in, float *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        out[blockIdx.x] = in[blockIdx.x];
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned i = 0; i < gridDim.x; i++)
            out[64] += out[i]; /* FAULT: race_read_after_write */
}

static void run(const float *in, float *out, int rows, int cols)
{
    broken_kernel<<<8, 32>>>(in, out);
}

int main() { return check(run, 32, 32, COPY); }
