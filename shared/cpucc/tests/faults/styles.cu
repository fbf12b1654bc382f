/* Whole programs in different styles, each with one fault: bounds, alignment, unwritten values. */
#include "../order/order.h"
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cuda_fp16.h>
#include <vector>

/* A student's box blur: the first row looks one row above the image. */
namespace blur_top_edge_program
{
__global__ void blur(const unsigned char *in, unsigned char *out, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int sum = 0, count = 0;
    for (int dy = -1; dy <= 1; dy++) {
        for (int dx = -1; dx <= 1; dx++) {
            int xx = x + dx;
            int yy = y + dy;
            if (xx < 0 || xx >= w || yy >= h)
                continue;
            sum += in[yy * w + xx]; /* FAULT: out_of_bounds */
            count++;
        }
    }
    out[y * w + x] = sum / count;
}

static int run()
{
    const int w = 50, h = 37;
    unsigned char *h_in = (unsigned char *)malloc(w * h);
    for (int i = 0; i < w * h; i++)
        h_in[i] = i % 251;
    unsigned char *d_in, *d_out;
    cudaMalloc((void **)&d_in, w * h);
    cudaMalloc((void **)&d_out, w * h);
    cudaMemcpy(d_in, h_in, w * h, cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
    blur<<<grid, block>>>(d_in, d_out, w, h);
    cudaError_t err = cudaDeviceSynchronize();
    if (err != cudaSuccess)
        cudaMemcpy(h_in, d_out, w * h, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    free(h_in);
    return 0;
}
} // namespace blur_top_edge_program
PROGRAM(blur_top_edge)

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

/* Records of 13 bytes in a file's order; the double inside is read in place. */
namespace packed_records_program
{
__global__ void sumValues(const uint8_t *records, int n, double *sum)
{
    int i = threadIdx.x;
    if (i < n) {
        const uint8_t *record = records + 13 * i;
        double value = *reinterpret_cast<const double *>(record + 5); /* FAULT: misaligned */
        atomicAdd(sum, value);
    }
}

static int run()
{
    const int n = 20;
    std::vector<uint8_t> host(13 * n);
    for (int i = 0; i < n; i++) {
        double v = i;
        host[13 * i] = 'r';
        memcpy(&host[13 * i + 1], &i, 4);
        memcpy(&host[13 * i + 5], &v, 8);
    }
    uint8_t *records;
    double *sum, total = 0;
    cudaMalloc(&records, host.size());
    cudaMalloc(&sum, sizeof(double));
    cudaMemset(sum, 0, sizeof(double));
    cudaMemcpy(records, host.data(), host.size(), cudaMemcpyHostToDevice);
    sumValues<<<1, 32>>>(records, n, sum);
    cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost);
    cudaFree(records);
    cudaFree(sum);
    return 0;
}
} // namespace packed_records_program
PROGRAM(packed_records)

/* A table of device functions, one of whose entries was never filled. */
namespace operator_table_null_program
{
typedef int (*Op)(int, int);
__device__ int plus(int a, int b) { return a + b; }
__device__ int minus(int a, int b) { return a - b; }
__device__ Op table[4] = {plus, minus};

__global__ void apply(const int *which, int *data, int n)
{
    int i = threadIdx.x;
    if (i < n)
        data[i] = table[which[i]](data[i], i); /* FAULT: out_of_bounds */
}

static int run()
{
    int which[8] = {0, 1, 0, 1, 1, 0, 2, 0}, *w, *d;
    cudaMalloc(&w, sizeof which);
    cudaMalloc(&d, sizeof which);
    cudaMemcpy(w, which, sizeof which, cudaMemcpyHostToDevice);
    cudaMemset(d, 0, sizeof which);
    apply<<<1, 32>>>(w, d, 8);
    cudaDeviceSynchronize();
    cudaFree(w);
    cudaFree(d);
    return 0;
}
} // namespace operator_table_null_program
PROGRAM(operator_table_null)

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

/* A switch that forgets a case leaves the factor without a value, which is then stored. */
namespace sign_not_set_for_zero_program
{
enum Kind { kNone, kDouble, kHalf };

__global__ void weight(const int *kind, float *value, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    float factor;
    switch (kind[i]) {
    case kDouble: factor = 2.f; break;
    case kHalf: factor = 0.5f; break;
    }
    value[i] = value[i] * factor; /* FAULT: uninitialised */
}

static int run()
{
    int k[3] = {kDouble, kNone, kHalf}, *kind;
    float v[3] = {1, 2, 3}, *value;
    cudaMalloc(&kind, sizeof k);
    cudaMalloc(&value, sizeof v);
    cudaMemcpy(kind, k, sizeof k, cudaMemcpyHostToDevice);
    cudaMemcpy(value, v, sizeof v, cudaMemcpyHostToDevice);
    weight<<<1, 32>>>(kind, value, 3);
    cudaMemcpy(v, value, sizeof v, cudaMemcpyDeviceToHost);
    cudaFree(kind);
    cudaFree(value);
    return 0;
}
} // namespace sign_not_set_for_zero_program
PROGRAM(sign_not_set_for_zero)

/* A tile with a halo: the four sides are loaded, the corners are not, and 9 points are read. */
namespace halo_corner_program
{
constexpr int T = 8;

__global__ void nine(const float *in, float *out, int pitch)
{
    __shared__ float tile[T + 2][T + 2];
    int x = blockIdx.x * T + threadIdx.x + 1, y = blockIdx.y * T + threadIdx.y + 1;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    tile[ty][tx] = in[y * pitch + x];
    if (threadIdx.x == 0)
        tile[ty][0] = in[y * pitch + x - 1];
    if (threadIdx.x == T - 1)
        tile[ty][T + 1] = in[y * pitch + x + 1];
    if (threadIdx.y == 0)
        tile[0][tx] = in[(y - 1) * pitch + x];
    if (threadIdx.y == T - 1)
        tile[T + 1][tx] = in[(y + 1) * pitch + x];
    __syncthreads();
    float s = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            s += tile[ty + j][tx + i]; /* FAULT: uninitialised */
    out[y * pitch + x] = s / 9;
}

static int run()
{
    const int n = 2 * T + 2;
    float *in, *out;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMemset(in, 0, n * n * sizeof(float));
    nine<<<dim3(2, 2), dim3(T, T)>>>(in, out, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
} // namespace halo_corner_program
PROGRAM(halo_corner)

/* A class that owns device memory and is copied by value into a kernel's argument. */
namespace owner_copied_program
{
__global__ void iota(int *p, int n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] = threadIdx.x;
}

class Owner
{
  public:
    explicit Owner(int n) : n_(n) { cudaMalloc(&p_, n * sizeof(int)); }
    ~Owner() { cudaFree(p_); } /* FAULT: double_free */
    void run() const
    {
        iota<<<1, 64>>>(p_, n_);
        cudaDeviceSynchronize();
    }

  private:
    int *p_ = nullptr;
    int n_;
};

static void runOn(Owner owner) { owner.run(); }

static int run()
{
    Owner owner(50);
    runOn(owner);
    return 0;
}
} // namespace owner_copied_program
PROGRAM(owner_copied)

/* A reduction that rounds the thread count up to a power of two and reads slots nobody wrote. */
namespace reduction_of_100_program
{
__global__ void maximum(const float *in, int n, float *out)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    if (t < n)
        s[t] = in[t];
    __syncthreads();
    for (int d = 64; d > 0; d >>= 1) {
        if (t < d)
            s[t] = fmaxf(s[t], s[t + d]); /* FAULT: uninitialised */
        __syncthreads();
    }
    if (t == 0)
        *out = s[0];
}

static int run()
{
    float *in, *out;
    cudaMalloc(&in, 100 * sizeof(float));
    cudaMalloc(&out, sizeof(float));
    cudaMemset(in, 0, 100 * sizeof(float));
    maximum<<<1, 128>>>(in, 100, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
} // namespace reduction_of_100_program
PROGRAM(reduction_of_100)

/* A thread's own histogram is never set to zero. */
namespace local_histogram_not_cleared_program
{
__global__ void mode(const unsigned char *in, int n, int *out)
{
    int bins[8];
    for (int i = 0; i < n; i++)
        bins[in[threadIdx.x * n + i] & 7]++;
    int best = 0;
    for (int b = 1; b < 8; b++)
        if (bins[b] > bins[best]) /* FAULT: uninitialised */
            best = b;
    out[threadIdx.x] = best;
}
static int run()
{
    unsigned char *in;
    int *out;
    cudaMalloc(&in, 32 * 20);
    cudaMalloc(&out, 32 * 4);
    cudaMemset(in, 3, 32 * 20);
    mode<<<1, 32>>>(in, 20, out);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace local_histogram_not_cleared_program
PROGRAM(local_histogram_not_cleared)

/* An accumulator whose constructor sets the sum and forgets the count. */
namespace member_left_out_program
{
struct Mean {
    float sum;
    int count;
    __device__ Mean() : sum(0) {}
    __device__ void add(float v)
    {
        sum += v;
        count++;
    }
    __device__ float value() const { return sum / count; }
};
__global__ void means(const float *in, float *out, int n)
{
    Mean m;
    for (int i = 0; i < n; i++)
        m.add(in[i * blockDim.x + threadIdx.x]);
    out[threadIdx.x] = m.value(); /* FAULT: uninitialised */
}
static int run()
{
    float *in, *out;
    cudaMalloc(&in, 10 * 32 * 4);
    cudaMalloc(&out, 32 * 4);
    cudaMemset(in, 0, 10 * 32 * 4);
    means<<<1, 32>>>(in, out, 10);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace member_left_out_program
PROGRAM(member_left_out)

/* Survivors are appended to a list that has room for half of them. */
namespace queue_overflows_program
{
struct Ray {
    float o, d;
};
__global__ void cull(const Ray *rays, int n, Ray *kept, int *count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        if (rays[i].d > 0)
            kept[atomicAdd(count, 1)] = rays[i]; /* FAULT: out_of_bounds */
}
static int run()
{
    const int n = 200;
    Ray h[n], *rays, *kept;
    int *count;
    for (int i = 0; i < n; i++)
        h[i] = Ray{1.f * i, i % 4 ? 1.f : -1.f};
    cudaMalloc(&rays, sizeof h);
    cudaMalloc(&kept, sizeof h / 2);
    cudaMalloc(&count, 4);
    cudaMemset(count, 0, 4);
    cudaMemcpy(rays, h, sizeof h, cudaMemcpyHostToDevice);
    cull<<<2, 64>>>(rays, n, kept, count);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace queue_overflows_program
PROGRAM(queue_overflows)

/* A thread allocates its scratch with new[] and writes the end mark behind it. */
namespace new_array_one_short_program
{
__global__ void k(const char *text, int *lengths)
{
    int n = threadIdx.x % 7 + 1;
    char *copy = new char[4 * n];
    for (int i = 0; i < 4 * n; i++)
        copy[i] = text[i];
    copy[4 * n] = 0; /* FAULT: out_of_bounds */
    int l = 0;
    while (l < 4 * n && copy[l])
        l++;
    lengths[threadIdx.x] = l;
    delete[] copy;
}
static int run()
{
    char *t;
    int *l;
    cudaMalloc(&t, 64);
    cudaMalloc(&l, 128);
    cudaMemset(t, 'x', 64);
    k<<<1, 32>>>(t, l);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace new_array_one_short_program
PROGRAM(new_array_one_short)

/* A half2 atomic on a histogram of halves, at an odd bin. */
namespace half2_atomic_at_odd_program
{
__global__ void splat(__half *bins, const int *at)
{
    __half2 w = __floats2half2_rn(0.25f, 0.75f);
    atomicAdd(reinterpret_cast<__half2 *>(bins + at[threadIdx.x]), w); /* FAULT: misaligned */
}
static int run()
{
    int h[4] = {0, 2, 5, 6}, *at;
    __half *b;
    cudaMalloc(&b, 32);
    cudaMalloc(&at, 16);
    cudaMemset(b, 0, 32);
    cudaMemcpy(at, h, 16, cudaMemcpyHostToDevice);
    splat<<<1, 4>>>(b, at);
    cudaDeviceSynchronize();
    return 0;
}
} // namespace half2_atomic_at_odd_program
PROGRAM(half2_atomic_at_odd)
