/* Headers of the C++ library that use words which CUDA also has, before and after device code. */
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "constructs.h"

__device__ __noinline__ int twice(int v) { return 2 * v; }
__noinline__ __device__ int thrice(int v) { return 3 * v; }
__host__ __device__ __noinline__ int both(int v) { return 4 * v; }
__noinline__ __host__ __device__ int both_too(int v) { return 5 * v; }

#include <condition_variable>
#include <future>
#include <map>
#include <random>
#include <regex>
#include <sstream>
#include <thread>
#include <tuple>
#include <unordered_map>

struct Free {
    void operator()(int *p) const { cudaFree(p); }
};

__global__ void use(int *out) { out[threadIdx.x] = twice(threadIdx.x) + thrice(std::max(1, 2)); }

int main()
{
    int *raw;
    cudaMalloc(&raw, 128);
    std::unique_ptr<int, Free> memory(raw);
    std::vector<int> back(32);
    use<<<1, 32>>>(memory.get());
    cudaMemcpy(back.data(), memory.get(), 128, cudaMemcpyDeviceToHost);
    expect("unique_ptr", back[4], 14);
    std::map<std::string, std::function<int(int)>> functions = {
        {"next", [](int v) { return v + 1; }}};
    expect("map of functions", functions["next"](1), 2);
    expect("functions of both sides", *std::make_shared<int>(std::min(both(3), both_too(2))), 10);
    expect("regex", std::regex_match("tile32", std::regex("[a-z]+[0-9]+")), 1);
    return failures != 0;
}
