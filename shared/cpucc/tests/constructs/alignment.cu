/* Alignment in every place where nvcc takes it. */
#include <cstddef>
#include <optional>
#include <variant>
#include "constructs.h"

struct alignas(16) Four {
    float v[4];
};
template <class T>
struct Holder {
    alignas(T) unsigned char bytes[sizeof(T)];
    alignas(2 * sizeof(T)) T second;
};
class __align__(8) Pair
{
  public:
    int x, y;
};

__global__ void aligned(int *out)
{
    __shared__ char before;
    __shared__ alignas(1024) int4 a[8];
    alignas(128) __shared__ char b[3];
    __shared__ __align__(256) float c;
    __shared__ alignas(double) char d[8];
    __shared__ int e alignas(64);
    extern __shared__ __align__(512) unsigned char dynamic[];
    before = 1;
    alignas(sizeof(int) > 2 ? 32 : (3 > 4)) int local[2] = {1, 2};
    out[0] = (int)((size_t)a % 1024 + (size_t)b % 128 + (size_t)&c % 256 + (size_t)d % 8 +
                   (size_t)&e % 64 + (size_t)dynamic % 512 + (size_t)local % 32);
    out[1] = before + local[threadIdx.x + 1];
}

int main()
{
    aligned<<<1, 1, 16>>>(fresh());
    fetch();
    expect("addresses", host[0], 0);
    expect("values", host[1], 3);
    expect("struct", alignof(Four) * 1000 + alignof(Holder<double>) * 10 + alignof(Pair), 16168);
    std::variant<int, double> v = 2.5;
    expect("library", (long long)(std::get<double>(v) * 2) + std::optional<int>(3).value(), 8);
    return failures != 0;
}
