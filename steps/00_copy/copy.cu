/*
 * Step 00: how fast can memory move at all? Ways to copy a matrix, no transpose yet.
 *
 *     nvcc -O3 -std=c++17 -arch=native -I../../shared copy.cu -o copy
 *
 *   memcpy              cudaMemcpyAsync, device to device
 *   scalar              4 bytes per thread
 *   scalar_x4           4 x 4 bytes per thread
 *   vector              16 bytes per thread
 *   vector_x4           4 x 16 bytes per thread
 *   vector_keep_reads   16 bytes per thread; L2 keeps what was read longer than what was written
 *   fastest             the same with 320 threads per block instead of 256: the ceiling of all steps
 *                       (copy.h)
 *
 * From scalar towards the transpose of step 03, one change at a time (step 03 reads them):
 *
 *   scalar_1024         scalar with 1024 threads per block instead of 256
 *   scalar_row          the same with two indices: a block copies 1024 elements of one row
 *   scalar_tile         the same on a tile of 32x32 elements
 *   relay_warp          the same by way of a tile in shared memory; lanes wait for their own warp
 *   relay_block         the same; the 32 warps of the block wait for each other
 *   relay_block_256     the same with 8 warps per block, on tiles of 8x32
 *
 * tiles.cuh has copies by tiles and engines, which later lessons read.
 */
#include "harness/harness.h"

/* One element a thread: a warp's request is 128 bytes. */
__global__ void scalar(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = in[i];
}

/* How long L2 keeps what was read: as long as anything, or longer than what was written. */
enum { PLAIN_READS, KEEP_READS };

template <int READS>
static __device__ __forceinline__ float4 load(const float4 *from)
{
    return READS == KEEP_READS ? load_with_policy(from, l2_evict_last()) : *from;
}

/* Four elements a thread: a warp's request is 512 bytes. A count that is not a multiple of four
 * leaves up to three elements, which the first threads copy. */
template <int READS>
__global__ void vector(const float *in, float *out, size_t count)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count / 4)
        ((float4 *)out)[i] = load<READS>((const float4 *)in + i);
    if (i < count % 4)
        out[count / 4 * 4 + i] = in[count / 4 * 4 + i];
}

constexpr int LOADS = 4;

/* Four elements (float) or vectors (float4) a thread, all loaded before the first is stored, a
 * block's width apart. */
template <typename T>
__global__ void four_loads(const float *in, float *out, size_t count)
{
    constexpr int WIDTH = sizeof(T) / sizeof(float);
    size_t first = (size_t)blockIdx.x * LOADS * blockDim.x + threadIdx.x;
    T values[LOADS];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (first + k * blockDim.x < count / WIDTH)
            values[k] = ((const T *)in)[first + k * blockDim.x];
#pragma unroll
    for (int k = 0; k < LOADS; k++)
        if (first + k * blockDim.x < count / WIDTH)
            ((T *)out)[first + k * blockDim.x] = values[k];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count % WIDTH)
        out[count / WIDTH * WIDTH + i] = in[count / WIDTH * WIDTH + i];
}

/* A block of COLS x ROWS threads copies a tile of as many elements: straight, or by way of shared
 * memory, where one lane stores each element and another lane loads it. */
enum { STRAIGHT, WAIT_FOR_WARP, WAIT_FOR_BLOCK };

template <int COLS, int ROWS, int WAY>
__global__ void scalar_tile(const float *in, float *out, int rows, int cols)
{
    __shared__ float tile[ROWS][COLS + 1];

    int row = blockIdx.y * ROWS + threadIdx.y;
    int col = blockIdx.x * COLS + threadIdx.x;
    if (WAY == STRAIGHT) {
        if (row < rows && col < cols)
            out[(size_t)row * cols + col] = in[(size_t)row * cols + col];
        return;
    }
    if (row < rows && col < cols)
        tile[threadIdx.y][threadIdx.x] = in[(size_t)row * cols + col];
    if (WAY == WAIT_FOR_WARP)
        __syncwarp();
    else
        __syncthreads();

    int x = COLS - 1 - threadIdx.x;
    int out_col = blockIdx.x * COLS + x;
    if (row < rows && out_col < cols)
        out[(size_t)row * cols + out_col] = tile[threadIdx.y][x];
}

static void launch_memcpy(const float *in, float *out, int rows, int cols)
{
    cudaMemcpyAsync(out, in, (size_t)rows * cols * sizeof(float), cudaMemcpyDeviceToDevice, 0);
}

template <int THREADS>
static void launch_scalar(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    scalar<<<(unsigned)((count - 1) / THREADS + 1), THREADS>>>(in, out, count);
}

template <int READS>
static void launch_vector(const float *in, float *out, int rows, int cols)
{
    size_t count = (size_t)rows * cols;
    vector<READS><<<(unsigned)((count - 1) / (4 * 256) + 1), 256>>>(in, out, count);
}

template <typename T>
static void launch_four_loads(const float *in, float *out, int rows, int cols)
{
    constexpr int FLOATS = LOADS * 256 * sizeof(T) / sizeof(float); /* of a block */
    size_t count = (size_t)rows * cols;
    four_loads<T><<<(unsigned)((count - 1) / FLOATS + 1), 256>>>(in, out, count);
}

template <int COLS, int ROWS, int WAY>
static void launch_scalar_tile(const float *in, float *out, int rows, int cols)
{
    dim3 blocks(tiles(cols, COLS), tiles(rows, ROWS));
    dim3 threads(COLS, ROWS);
    scalar_tile<COLS, ROWS, WAY><<<blocks, threads>>>(in, out, rows, cols);
}

#include "tiles.cuh"

int main(int argc, char **argv)
{
    static const Variant variants[] = {
        {"memcpy", launch_memcpy, 1, 0},
        {"scalar", launch_scalar<256>, 1, 0},
        {"scalar_x4", launch_four_loads<float>, 1, 0},
        {"vector", launch_vector<PLAIN_READS>, 1, 0},
        {"vector_x4", launch_four_loads<float4>, 1, 0},
        {"vector_keep_reads", launch_vector<KEEP_READS>, 1, 0},
        {"fastest", launch_fastest_copy, 1, 0},

        {"scalar_1024", launch_scalar<1024>, 1, 0},
        {"scalar_row", launch_scalar_tile<1024, 1, STRAIGHT>, 1, 0, 1},
        {"scalar_tile", launch_scalar_tile<32, 32, STRAIGHT>, 1, 0, 32},
        {"relay_warp", launch_scalar_tile<32, 32, WAIT_FOR_WARP>, 1, 0, 32},
        {"relay_block", launch_scalar_tile<32, 32, WAIT_FOR_BLOCK>, 1, 0, 32},
        {"relay_block_256", launch_scalar_tile<32, 8, WAIT_FOR_BLOCK>, 1, 0, 8},

        {"tile_basic", launch_tile_basic, 1, 0},
        {"tile_vector", launch_tile_chunks<BY_REGISTERS, ROW_MAJOR>, 4, 0},
        {"tile_async", launch_tile_chunks<BY_CP_ASYNC, ROW_MAJOR>, 4, 0},
        {"tile_async_ca", launch_tile_chunks<BY_CP_ASYNC_CA, ROW_MAJOR>, 4, 0},
        {"tile_swizzled", launch_tile_chunks<BY_CP_ASYNC, SWIZZLE_3_3_3>, 4, 0},
        {"vector_32x1024", launch_vector_32x1024, 4, 0},
        {"bulk", launch_bulk, 1, 90, 0, prepare_bulk},
        {"bulk_keep_reads", launch_bulk_keep_reads, 1, 90},
        {"bulk_store_keep_reads", launch_bulk_store_keep_reads, 1, 90},
        {"tensor", launch_tensor<64, 64, SWIZZLE_NONE>, 4, 90, 0,
         prepare_tensor<64, 64, SWIZZLE_NONE>},
        {"tensor_16x256", launch_tensor<16, 256, SWIZZLE_NONE>, 4, 90, 0,
         prepare_tensor<16, 256, SWIZZLE_NONE>},
        {"tensor_64x32", launch_tensor<64, 32, SWIZZLE_NONE>, 4, 90, 0,
         prepare_tensor<64, 32, SWIZZLE_NONE>},
        {"tensor_64x32_swizzled", launch_tensor<64, 32, SWIZZLE_128B>, 4, 90, 0,
         prepare_tensor<64, 32, SWIZZLE_128B>},
    };
    static const Step step = {
        "00_copy", COPY, variants, COUNT_OF(variants), "fastest", "memcpy", NULL,
    };
    return run_step(&step, argc, argv);
}
