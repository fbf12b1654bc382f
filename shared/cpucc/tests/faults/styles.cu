/* Whole programs in different styles, each with one fault: bounds, alignment, unwritten values. */
#include "../order/order.h"
#include <cstddef>
#include <cstdlib>
#include <vector>

/* A class template of a matrix view whose kernel takes rows for columns. */
namespace matrix_view_columns_program
{
template <typename T>
class View
{
  public:
    __host__ __device__ View(T *data, size_t rows, size_t cols)
        : data_(data), rows_(rows), cols_(cols)
    {
    }
    __device__ T &operator()(size_t r, size_t c) const { return data_[r * cols_ + c]; }
    __host__ __device__ size_t rows() const { return rows_; }
    __host__ __device__ size_t cols() const { return cols_; }

  private:
    T *data_;
    size_t rows_, cols_;
};

template <typename T, typename Op>
__global__ void forEach(View<T> m, Op op)
{
    for (size_t r = blockIdx.x; r < m.cols(); r += gridDim.x)
        for (size_t c = threadIdx.x; c < m.rows(); c += blockDim.x)
            m(r, c) = op(m(r, c)); /* FAULT: out_of_bounds */
}

struct Scale {
    double by;
    __device__ double operator()(double v) const { return by * v; }
};

static int run()
{
    const size_t rows = 30, cols = 40;
    std::vector<double> host(rows * cols, 1.5);
    double *device = nullptr;
    cudaMalloc(&device, host.size() * sizeof(double));
    cudaMemcpy(device, host.data(), host.size() * sizeof(double), cudaMemcpyHostToDevice);
    forEach<<<8, 32>>>(View<double>(device, rows, cols), Scale{2.0});
    cudaMemcpy(host.data(), device, host.size() * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(device);
    return 0;
}
} // namespace matrix_view_columns_program
PROGRAM(matrix_view_columns)

/* A recursive search whose range never becomes empty. */
namespace search_without_end_program
{
__device__ __noinline__ int find(const int *sorted, int lo, int hi, int key)
{
    volatile int path[64];
    path[0] = lo;
    int mid = (lo + hi) / 2;
    if (sorted[mid] == key)
        return mid + path[0] - lo;
    if (sorted[mid] < key)
        return find(sorted, mid, hi, key) + path[0] - lo; /* FAULT: stack_overflow */
    return find(sorted, lo, mid, key) + path[0] - lo;
}

__global__ void search(const int *sorted, int n, int key, int *at)
{
    *at = find(sorted, 0, n - 1, key);
}

static int run()
{
    int h[10], *d, *at;
    for (int i = 0; i < 10; i++)
        h[i] = 2 * i;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&at, sizeof(int));
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    search<<<1, 1>>>(d, 10, 7, at);
    cudaDeviceSynchronize();
    cudaFree(d);
    cudaFree(at);
    return 0;
}
} // namespace search_without_end_program
PROGRAM(search_without_end)
