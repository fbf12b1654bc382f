# Both sides coalesced: what is turned round in between goes through a variable, by atomic operations.
refused 'atomic operations move [0-9]* bytes' <<<"#include \"exercises/exercise.h\"
__device__ float turned[256 * 256];
__global__ void first(const float *in, int cols)
{
    if (threadIdx.x < cols)
        atomicExch(&turned[threadIdx.x * 256 + blockIdx.x], in[blockIdx.x * cols + threadIdx.x]);
}
__global__ void second(float *out, int rows)
{
    if (threadIdx.x < rows)
        out[blockIdx.x * rows + threadIdx.x] = atomicAdd(&turned[blockIdx.x * 256 + threadIdx.x], 0.0f);
}
static void launch(const float *in, float *out, int rows, int cols)
{
    first<<<rows, 256>>>(in, cols);
    second<<<cols, 256>>>(out, rows);
}
EXERCISE(launch)"
