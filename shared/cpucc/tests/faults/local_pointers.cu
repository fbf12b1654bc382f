/* Pointers that walk through local arrays, and shuffles that ask lanes which take no part. */
#include "../order/order.h"

__global__ void write_digits(int *out, unsigned number)
{
    char text[8], *p = text;
    do
        *p++ = '0' + number % 10; /* FAULT: out_of_bounds */
    while (number /= 10);
    out[0] = p - text + text[0];
}
CASE(digits_past_the_buffer) { write_digits<<<1, 1>>>(ints(1), 1234567890); }

CASE(digits_that_fit) { write_digits<<<1, 1>>>(ints(1), 12345678); }

__global__ void pop_too_often(int *out, int n)
{
    int stack[4], *top = stack, sum = 0;
    for (int i = 0; i < n; i++)
        *top++ = i;
    for (int i = 0; i <= n; i++)
        sum += *--top; /* FAULT: out_of_bounds */
    out[0] = sum;
}
CASE(stack_popped_once_too_often) { pop_too_often<<<1, 1>>>(ints(1), 3); }

__global__ void four_at_a_step(float *out, int step)
{
    float v[16];
    for (int i = 0; i < 16; i++)
        v[i] = i * step;
    float4 q = *(float4 *)&v[threadIdx.x * step]; /* FAULT: misaligned */
    *(float2 *)&v[threadIdx.x * step] = make_float2(q.w, q.x);
    out[threadIdx.x] = v[step] + q.y;
}
CASE(four_at_multiples_of_three) { four_at_a_step<<<1, 4>>>((float *)ints(4), 3); }

CASE(four_at_multiples_of_four) { four_at_a_step<<<1, 4>>>((float *)ints(4), 4); }

struct Sample {
    int id;
    double value[3];
};
__global__ void past_a_member(double *out, int n)
{
    Sample s;
    s.id = 1;
    double *p = s.value;
    for (int i = 0; i <= n; i++)
        *p++ = i; /* FAULT: out_of_bounds */
    out[0] = s.value[1] + s.id;
}
CASE(past_a_member) { past_a_member<<<1, 1>>>((double *)ints(2), 3); }

__device__ void count_up(int *from, const int *to, int v)
{
    while (from < to)
        *from++ = v++; /* FAULT: out_of_bounds */
}
__global__ void helper_too_long(int *out, int n)
{
    int a[4];
    count_up(a, a + n, 3);
    out[0] = a[n - 2];
}
CASE(range_of_a_helper_too_long) { helper_too_long<<<1, 1>>>(ints(1), 5); }

__device__ __forceinline__ void sort(int *a, int n)
{
    for (int i = 1; i <= n; i++) {
        int v = a[i], k = i - 1;        /* FAULT: out_of_bounds */
        for (; k >= 0 && a[k] > v; k--) /* FAULT: uninitialised? */
            a[k + 1] = a[k];            /* FAULT: out_of_bounds? */
        a[k + 1] = v;
    }
}
__global__ void median(const int *in, int *out)
{
    int w[7];
    for (int k = 0; k < 7; k++)
        w[k] = in[threadIdx.x + k] ^ k;
    sort(w, 7);
    out[threadIdx.x] = w[3];
}
CASE(forceinline_sort_too_long) { median<<<1, 32>>>(ints(38), ints(32)); }

__global__ void to_the_edge(const int *in, int *out)
{
    int a[6], b[4], sum = 0, *p = a, *const end = a + 6;
    while (p != end)
        *p++ = in[0];
    for (p = end - 1; p >= a; p -= 2)
        sum += *p;
    Sample s;
    double *d = s.value;
    for (int i = 0; i < 3; i++)
        d[i] = i;
    d += 2;
    sum += (int)(*d-- + d[0] + d[-1]);
    short m[3][4];
    for (short *row = &m[0][0]; row < &m[0][0] + 12; row += 4) {
        row[0] = row[1] = row[2] = row[3] = 4;
        sum += row[3];
    }
    count_up(b, b + 4, 3);
    const char *bytes = (const char *)b;
    for (int i = 0; i < 16; i++)
        sum += *bytes++;
    const int *q = in[1] ? a : b;
    sum += *q;
    q = in;
    sum += q[threadIdx.x];
    q = a;
    out[threadIdx.x] = sum + q[5];
}
CASE(pointers_to_the_edge) { to_the_edge<<<1, 32>>>(ints(32), ints(32)); }

__global__ void sum_of_eight_lanes(const int *in, int *out)
{
    if (threadIdx.x < 8) {
        int v = in[threadIdx.x];
        for (int d = 4; d > 0; d /= 2)
            v += __shfl_down_sync(0xff, v, d);
        if (threadIdx.x == 0)
            out[0] = v;
    }
}
CASE(sum_of_eight_lanes) { sum_of_eight_lanes<<<1, 32>>>(ints(8), ints(1)); }

__global__ void sum_of_upper_lanes(const int *in, int *out)
{
    int lane = threadIdx.x % 32;
    if (lane >= 24) {
        int v = in[lane];
        for (int d = 1; d < 8; d *= 2) {
            int below = __shfl_up_sync(0xff000000, v, d);
            if (lane - 24 >= d)
                v += below;
        }
        out[lane] = v;
    }
}
CASE(sum_of_upper_lanes) { sum_of_upper_lanes<<<1, 32>>>(ints(32), ints(32)); }

__global__ void sum_of_twenty_lanes(const int *in, int *out)
{
    if (threadIdx.x < 20) {
        int v = in[threadIdx.x];
        for (int d = 16; d > 0; d /= 2)
            v += __shfl_down_sync(0xfffff, v, d); /* FAULT: lane_mask */
        if (threadIdx.x == 0)
            out[0] = v;
    }
}
CASE(sum_of_twenty_lanes) { sum_of_twenty_lanes<<<1, 32>>>(ints(20), ints(1)); }

__global__ void partner_if_there(const int *in, int *out, int n)
{
    int lane = threadIdx.x;
    unsigned here = __ballot_sync(~0u, lane < n);
    if (lane >= n)
        return;
    int v = in[lane];
    for (int d = 16; d > 0; d /= 2) {
        int other = __shfl_xor_sync(here, v, d);
        if (here >> (lane ^ d) & 1)
            v = max(v, other);
    }
    out[lane] = v;
}
CASE(partner_asked_under_a_condition) { partner_if_there<<<1, 32>>>(ints(20), ints(20), 20); }

__global__ void partner_missing(const int *in, int *out, int n)
{
    int lane = threadIdx.x;
    unsigned here = __ballot_sync(~0u, lane < n);
    if (lane >= n)
        return;
    int v = in[lane];
    for (int d = 16; d > 0; d /= 2) {
        int other = __shfl_xor_sync(here, v, d); /* FAULT: lane_mask */
        v = max(v, other);
    }
    out[lane] = v;
}
CASE(partner_that_is_missing) { partner_missing<<<1, 32>>>(ints(20), ints(20), 20); }

__global__ void write_beyond(int *out)
{
    int b, *d = &b;
    d[1] = 1; /* FAULT: out_of_bounds */
    out[0] = 2;
}
CASE(write_beyond_a_variable) { write_beyond<<<1, 1>>>(ints(1)); }

__global__ void read_before(int *out)
{
    int b = 7;
    out[0] = *(&b - 1); /* FAULT: out_of_bounds */
}
CASE(read_before_a_variable) { read_before<<<1, 1>>>(ints(1)); }

__device__ void set_pair(float *p) { p[1] = p[0]; /* FAULT: out_of_bounds */ }
__global__ void one_for_two(float *out)
{
    float b = 7;
    set_pair(&b);
    out[0] = b;
}
CASE(helper_gets_one_of_two) { one_for_two<<<1, 1>>>((float *)ints(1)); }

__global__ void wide_access(double *out)
{
    struct {
        int a, b;
    } s = {1, 2};
    double d = *(double *)&s; /* its own 8 bytes are no fault */
    out[0] = d;
    *(int4 *)&s = make_int4(1, 2, 3, 4); /* FAULT: out_of_bounds */
    out[1] = s.b;
}
CASE(struct_written_too_wide) { wide_access<<<1, 1>>>((double *)ints(4)); }

__global__ void variable_by_index(int *out, int i)
{
    int b = 0, *d = &b;
    d[i] = 1; /* FAULT: out_of_bounds */
    out[0] = b;
}
CASE(variable_by_index) { variable_by_index<<<1, 1>>>(ints(1), 1); }

CASE(variable_by_index_0) { variable_by_index<<<1, 1>>>(ints(1), 0); }
