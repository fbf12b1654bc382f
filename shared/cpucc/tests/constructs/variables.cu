/* Variables of the device: initialised, static, managed, constant; by name and by address. */
#include "constructs.h"

__device__ int counter = 5;
static __device__ float table[4] = {1, 2, 3, 4};
__constant__ int factors[2];
__managed__ int both = 3;
const int three = 3;
constexpr float halves[] = {0.5f, 1.5f};
namespace inside
{
__device__ short small[3] = {7, 8, 9};
}

__global__ void use(int *out)
{
    static __device__ int calls = 10;
    const int local[5] = {5, 4, 3, 2, 1};
    if (threadIdx.x == 0) {
        counter += factors[1];
        both *= 2;
        calls++;
    }
    __syncthreads();
    out[threadIdx.x] = counter + (int)table[threadIdx.x % 4] + three +
                       (int)(2 * halves[threadIdx.x % 2]) + inside::small[2] + calls +
                       local[threadIdx.x % 5];
}

int main()
{
    int f[2] = {100, 1000}, back;
    expect("managed, before", both, 3);
    both = 21;
    cudaMemcpyToSymbol(factors, f, sizeof f);
    use<<<1, 32>>>(fresh());
    fetch();
    expect("values", host[1], 1005 + 2 + 3 + 3 + 9 + 11 + 4);
    expect("managed", both, 42);
    expect("from symbol", cudaMemcpyFromSymbol(&back, counter, 4) * 10000 + back, 1005);
    void *address;
    size_t bytes;
    expect("address", cudaGetSymbolAddress(&address, table), cudaSuccess);
    expect("size", cudaGetSymbolSize(&bytes, table) + bytes, 16);
    float two;
    cudaMemcpy(&two, (char *)address + 4, 4, cudaMemcpyDeviceToHost);
    expect("through the address", (int)two, 2);
    expect("an element's offset", cudaMemcpyFromSymbol(&two, table, 4, 8) + (int)two, 3);
    return failures != 0;
}
