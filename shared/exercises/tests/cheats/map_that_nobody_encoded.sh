# A tensor map made by hand, of memory that is not the matrix.
refused 'hardware refuses|tensor map|illegal|reaches outside|does not compile|waits for something' <<<"$(exercise | sed '/^#include/a\
__global__ void steal(const __grid_constant__ CUtensorMap map)\
{\
    __shared__ __align__(1024) float tile[1024];\
    __shared__ uint64_t full;\
    mbarrier_init(\&full, 1);\
    mbarrier_arrive_expect(\&full, 4096);\
    tensor_load(tile, \&map, 0, 0, \&full);\
    mbarrier_wait(\&full, 0);\
}' | sed 's/^    dim3 threads/    CUtensorMap map;\n    memset(\&map, 0x74, sizeof map);\n    *(unsigned *)\&map = 0x74736e74;\n    steal<<<1, 1>>>(map);\n&/')"
