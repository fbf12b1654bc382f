/* Classes, structs, arrays and unions that are local and written in part. */
#include "../order/order.h"

struct Welford {
    float mean, m2;
    int count;
    __device__ Welford() : mean(0), count(0) {}
    __device__ void add(float x)
    {
        count++;
        float d = x - mean;
        mean += d / count;
        m2 += d * (x - mean);
    }
    __device__ float variance() const { return m2 / count; }
};
__global__ void member_left_out_kernel(const float *in, float *out, int n)
{
    Welford w;
    for (int i = threadIdx.x; i < n; i += 32)
        w.add(in[i]);
    out[threadIdx.x] = w.variance(); /* FAULT: uninitialised */
}
CASE(member_left_out)
{
    member_left_out_kernel<<<1, 32>>>((float *)ints(64), (float *)ints(32), 64);
}

struct Welford2 {
    float mean, m2;
    int count;
    __device__ Welford2() : mean(0), m2(0), count(0) {}
    __device__ void add(float x)
    {
        count++;
        float d = x - mean;
        mean += d / count;
        m2 += d * (x - mean);
    }
    __device__ float variance() const { return m2 / count; }
};
__global__ void all_members_set_kernel(const float *in, float *out, int n)
{
    Welford2 w;
    for (int i = threadIdx.x; i < n; i += 32)
        w.add(in[i]);
    Welford2 copy = w;
    out[threadIdx.x] = copy.variance();
}
CASE(all_members_set)
{
    all_members_set_kernel<<<1, 32>>>((float *)ints(64), (float *)ints(32), 64);
}

__global__ void window_not_filled_kernel(const int *in, int *out, int n)
{
    int w[5], i = threadIdx.x;
    for (int k = 0; k < 4; k++)
        w[k] = in[min(i + k, n - 1)];
    int best = w[0];
    for (int k = 1; k < 5; k++)
        if (w[k] > best) /* FAULT: uninitialised */
            best = w[k];
    out[i] = best;
}
CASE(window_not_filled) { window_not_filled_kernel<<<1, 32>>>(ints(32), ints(32), 32); }

struct Top {
    float v[4];
    int i[4];
    __device__ void clear()
    {
        for (int k = 0; k < 4; k++)
            v[k] = -1, i[k] = -1;
    }
    __device__ void insert(float x, int at)
    {
        int k = 3;
        if (x <= v[3]) /* FAULT: uninitialised (top_k_never_cleared) */
            return;
        for (; k > 0 && v[k - 1] < x; k--)
            v[k] = v[k - 1], i[k] = i[k - 1];
        v[k] = x, i[k] = at;
    }
};
__global__ void top_k_by_insertion_kernel(const float *in, int *out, int n)
{
    Top t;
    t.clear();
    for (int i = threadIdx.x; i < n; i += 32)
        t.insert(in[i], i);
    for (int k = 0; k < 4; k++)
        out[threadIdx.x * 4 + k] = t.i[k];
}
CASE(top_k_by_insertion)
{
    top_k_by_insertion_kernel<<<1, 32>>>((float *)ints(128), ints(128), 128);
}

__global__ void top_k_never_cleared_kernel(const float *in, int *out, int n)
{
    Top t;
    for (int i = threadIdx.x; i < n; i += 32)
        t.insert(in[i], i);
    for (int k = 0; k < 4; k++)
        out[threadIdx.x * 4 + k] = t.i[k]; /* FAULT: uninitialised */
}
CASE(top_k_never_cleared)
{
    top_k_never_cleared_kernel<<<1, 32>>>((float *)ints(128), ints(128), 128);
}

union Word {
    unsigned all;
    unsigned short half[2];
};
__global__ void half_of_a_union_kernel(const unsigned short *in, unsigned *out)
{
    Word w;
    w.half[0] = in[threadIdx.x];
    out[threadIdx.x] = w.all; /* FAULT: uninitialised */
}
CASE(half_of_a_union)
{
    half_of_a_union_kernel<<<1, 32>>>((unsigned short *)ints(16), (unsigned *)ints(32));
}

__global__ void both_halves_of_a_union_kernel(const unsigned short *in, unsigned *out)
{
    Word w;
    w.half[0] = in[threadIdx.x];
    w.half[1] = 7;
    out[threadIdx.x] = w.all;
}
CASE(both_halves_of_a_union)
{
    both_halves_of_a_union_kernel<<<1, 32>>>((unsigned short *)ints(16), (unsigned *)ints(32));
}

__device__ bool find(const int *a, int n, int x, int &at)
{
    for (int i = 0; i < n; i++)
        if (a[i] == x) {
            at = i;
            return true;
        }
    return false;
}
__global__ void out_parameter_not_always_set_kernel(const int *a, int *out)
{
    int at;
    find(a, 8, threadIdx.x, at);
    out[threadIdx.x] = at; /* FAULT: uninitialised */
}
CASE(out_parameter_not_always_set)
{
    out_parameter_not_always_set_kernel<<<1, 32>>>(ints(8), ints(32));
}

__global__ void out_parameter_used_when_found_kernel(const int *a, int *out)
{
    int at;
    if (find(a, 8, threadIdx.x, at))
        out[threadIdx.x] = at;
}
CASE(out_parameter_used_when_found)
{
    out_parameter_used_when_found_kernel<<<1, 32>>>(ints(8), ints(32));
}

struct Range {
    int from, to, step;
};
__device__ Range range_of(int t, int n)
{
    Range r;
    r.from = t;
    r.to = n;
    if (n > 4)
        r.step = 32;
    return r;
}
__global__ void struct_returned_by_value_kernel(int *out, int n)
{
    Range r = range_of(threadIdx.x, n);
    for (int i = r.from; i < r.to; i += r.step) /* FAULT: uninitialised */
        out[i] = 1;                             /* FAULT: endless_wait, uninitialised */
}
CASE(struct_returned_by_value) { struct_returned_by_value_kernel<<<1, 2>>>(ints(1000), 4); }

__global__ void struct_returned_whole_kernel(int *out, int n)
{
    Range r = range_of(threadIdx.x, n);
    for (int i = r.from; i < r.to; i += r.step)
        out[i] = 1;
}
CASE(struct_returned_whole) { struct_returned_whole_kernel<<<1, 32>>>(ints(100), 100); }

struct Padded {
    char tag;
    double value;
    short kind;
};
__device__ Padded make(int t)
{
    Padded p;
    p.tag = 'a';
    p.value = t;
    p.kind = 3;
    return p;
}
__global__ void padding_and_copies_kernel(Padded *out)
{
    Padded a = make(threadIdx.x), b[2];
    b[0] = a;
    b[1] = b[0];
    out[threadIdx.x] = b[threadIdx.x & 1];
}
CASE(padding_and_copies) { padding_and_copies_kernel<<<1, 32>>>((Padded *)ints(32 * 6)); }

__device__ float dot(const float4 &a, const float4 &b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
__global__ void float4_built_and_passed_kernel(const float4 *in, float *out)
{
    float4 a = in[threadIdx.x], b;
    b.x = 1, b.y = 2, b.z = 3, b.w = 4;
    float3 c = make_float3(a.x, a.y, 0);
    c.z = b.w;
    out[threadIdx.x] = dot(a, b) + c.x + c.z;
}
CASE(float4_built_and_passed)
{
    float4_built_and_passed_kernel<<<1, 32>>>((float4 *)ints(128), (float *)ints(32));
}

__global__ void float4_three_set_kernel(const float4 *in, float *out)
{
    float4 a = in[threadIdx.x], b;
    b.x = 1, b.y = 2, b.z = 3;
    out[threadIdx.x] = dot(a, b); /* FAULT: uninitialised */
}
CASE(float4_three_set)
{
    float4_three_set_kernel<<<1, 32>>>((float4 *)ints(128), (float *)ints(32));
}

__global__ void registers_shuffled_on_kernel(const int *in, int *out, int n)
{
    struct {
        int value, index;
    } best;
    int i = threadIdx.x;
    if (i < n)
        best.value = in[i], best.index = i;
    int v = __shfl_sync(~0u, best.value, 0), k = __shfl_sync(~0u, best.index, 0);
    out[i] = v + k;
}
CASE(registers_shuffled_on) { registers_shuffled_on_kernel<<<1, 32>>>(ints(32), ints(32), 20); }

__global__ void stack_of_a_traversal_kernel(const int *left, const int *right, int *out, int n)
{
    int stack[16], top = 0, visited = 0;
    stack[top++] = 0;
    while (top > 0) {
        int node = stack[--top];
        visited++;
        if (2 * node + 2 < n) {
            stack[top++] = 2 * node + 1 + left[0];
            stack[top++] = 2 * node + 2 + right[0];
        }
    }
    out[threadIdx.x] = visited;
}
CASE(stack_of_a_traversal)
{
    stack_of_a_traversal_kernel<<<1, 32>>>(ints(1), ints(1), ints(32), 63);
}

__global__ void stack_popped_too_often_kernel(int *out, int n)
{
    int stack[16], top = 0;
    for (int i = 0; i < n; i++)
        stack[top++ & 15] = i;
    int sum = 0;
    for (int i = 0; i <= n; i++)
        sum += stack[(top - i) & 15];
    out[threadIdx.x] = sum; /* FAULT: uninitialised */
}
CASE(stack_popped_too_often) { stack_popped_too_often_kernel<<<1, 32>>>(ints(32), 5); }

class Walker
{
    int x, y;
    bool done;

  public:
    __device__ void start(int at)
    {
        x = y = at;
        if (at > 40)
            done = true;
    }
    __device__ bool step()
    {
        if (done) /* FAULT: uninitialised */
            return false;
        done = ++x > 50;
        return true;
    }
    __device__ int where() const { return x + y; }
};
__global__ void bool_set_in_one_branch_kernel(int *out)
{
    Walker w;
    w.start(threadIdx.x);
    while (w.step())
        ;
    out[threadIdx.x] = w.where();
}
CASE(bool_set_in_one_branch) { bool_set_in_one_branch_kernel<<<1, 32>>>(ints(32)); }

template <int M, int N>
struct Tile {
    float acc[M][N];
    __device__ void zero()
    {
#pragma unroll
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++)
                acc[i][j] = 0;
    }
    __device__ void fma(const float *a, const float *b)
    {
        for (int i = 0; i < M; i++)
            for (int j = 0; j < N; j++)
                acc[i][j] += a[i] * b[j];
    }
};
__global__ void accumulators_of_a_tile_kernel(const float *in, float *out)
{
    Tile<4, 4> t;
    t.zero();
    for (int k = 0; k < 8; k++) {
        float a[4], b[4];
        for (int i = 0; i < 4; i++)
            a[i] = in[k * 4 + i], b[i] = in[k * 4 + 3 - i];
        t.fma(a, b);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out[threadIdx.x * 16 + i * 4 + j] = t.acc[i][j];
}
CASE(accumulators_of_a_tile)
{
    accumulators_of_a_tile_kernel<<<1, 32>>>((float *)ints(32), (float *)ints(512));
}

__global__ void accumulators_zeroed_short_kernel(const float *in, float *out)
{
    float acc[4][4], a[4], b[4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            acc[i][j] = 0;
    for (int i = 0; i < 4; i++)
        a[i] = in[i], b[i] = in[i + 4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            acc[i][j] += a[i] * b[j];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out[threadIdx.x * 16 + i * 4 + j] = acc[i][j]; /* FAULT: uninitialised */
}
CASE(accumulators_zeroed_short)
{
    accumulators_zeroed_short_kernel<<<1, 32>>>((float *)ints(32), (float *)ints(512));
}

__device__ void sort(int *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n - i; j++)
            if (a[j] > a[j + 1]) { /* FAULT: out_of_bounds */
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}
__global__ void callee_overruns_the_array_kernel(const int *in, int *out)
{
    int a[7];
    for (int i = 0; i < 7; i++)
        a[i] = in[i];
    sort(a, 7);
    out[threadIdx.x] = a[3];
}
CASE(callee_overruns_the_array) { callee_overruns_the_array_kernel<<<1, 32>>>(ints(7), ints(32)); }

__device__ void sort_well(int *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j + 1 < n - i; j++)
            if (a[j] > a[j + 1]) {
                int t = a[j];
                a[j] = a[j + 1];
                a[j + 1] = t;
            }
}
__global__ void callee_stays_inside_kernel(const int *in, int *out)
{
    int a[7];
    for (int i = 0; i < 7; i++)
        a[i] = in[i];
    sort_well(a, 7);
    sort_well(a + 3, 4);
    out[threadIdx.x] = a[3];
}
CASE(callee_stays_inside) { callee_stays_inside_kernel<<<1, 32>>>(ints(7), ints(32)); }
