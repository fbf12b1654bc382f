/*
 * Traffic to other devices against figures worked out by hand, as in counts.cu. CPUCC_DEVICES=2: device 0
 * runs each kernel once, on memory of device 1.
 */
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

/* Each lane stores a float, in rows of PIECE bytes that lie 4096 bytes apart. A sector holds 32 bytes, a
 * packet at most 128.
 * EXPECT pieces<128> peer_store 1 4 4
 * EXPECT pieces<128> peer_store_packets 1 1 1
 * EXPECT pieces<64> peer_store 1 4 4
 * EXPECT pieces<64> peer_store_packets 1 2 1
 * EXPECT pieces<32> peer_store 1 4 4
 * EXPECT pieces<32> peer_store_packets 1 4 1
 * EXPECT pieces<4> peer_store 1 32 4
 * EXPECT pieces<4> peer_store_packets 1 32 1 */
template <int PIECE>
__global__ void pieces(float *to)
{
    int per_row = PIECE / 4;
    to[threadIdx.x / per_row * 1024 + threadIdx.x % per_row] = 1;
}

/* 128 bytes that begin 64 bytes before a boundary.
 * EXPECT across peer_load 1 4 4
 * EXPECT across peer_load_packets 1 2 1
 * EXPECT across global_store 1 4 4 */
__global__ void across(const float *from, float *own) { own[threadIdx.x] = from[threadIdx.x + 16]; }

/* One request: every other lane stores to the own device.
 * EXPECT mixed peer_store 1 4 2
 * EXPECT mixed peer_store_packets 1 1 1
 * EXPECT mixed global_store 1 4 2 */
__global__ void mixed(float *to, float *own) { (threadIdx.x % 2 ? own : to)[threadIdx.x] = 1; }

/* cp.async and bulk copies keep their counters and count as peers' traffic too.
 * EXPECT asynchronous async_copy_global 1 16 16
 * EXPECT asynchronous async_copy_shared 1 4 4
 * EXPECT asynchronous peer_load 1 16 16
 * EXPECT asynchronous peer_load_packets 1 4 4 */
__global__ void asynchronous(const float4 *from)
{
    __shared__ float4 tile[32];
    __pipeline_memcpy_async(&tile[threadIdx.x], &from[threadIdx.x], sizeof *tile);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

/* 272 bytes from 64 bytes before a boundary on: 9 sectors; 64, 128 and 80 bytes in three packets.
 * EXPECT bulk tma_store 1 272 272
 * EXPECT bulk peer_store 1 9 9
 * EXPECT bulk peer_store_packets 1 3 3
 * EXPECT bulk shared_store 3 3 3 */
__global__ void bulk(float *to)
{
    __shared__ alignas(128) float row[68];
    for (int i = threadIdx.x; i < 68; i += 32)
        row[i] = 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncwarp();
    if (threadIdx.x == 0)
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 272;\n"
                     "cp.async.bulk.commit_group;\n"
                     "cp.async.bulk.wait_group 0;" ::"l"(__cvta_generic_to_global(to + 16)),
                     "r"((unsigned)__cvta_generic_to_shared(row))
                     : "memory");
}

int main()
{
    float *own, *other;
    cudaSetDevice(1);
    cudaMalloc(&other, 1 << 20);
    cudaMemset(other, 0, 1 << 20);
    cudaDeviceSynchronize();
    cudaSetDevice(0);
    cudaMalloc(&own, 1 << 20);
    if (cudaDeviceEnablePeerAccess(1, 0) != cudaSuccess)
        return 1;
    pieces<128><<<1, 32>>>(other);
    pieces<64><<<1, 32>>>(other);
    pieces<32><<<1, 32>>>(other);
    pieces<4><<<1, 32>>>(other);
    across<<<1, 32>>>(other, own);
    mixed<<<1, 32>>>(other, own);
    asynchronous<<<1, 32>>>((const float4 *)other);
    bulk<<<1, 32>>>(other);
    return cudaDeviceSynchronize() != cudaSuccess;
}
