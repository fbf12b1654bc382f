/* Programs that are correct, in ways that a checker may take for faults. None brings a report. */
#include "../order/order.h"
#include <stdlib.h>
#include <limits.h>
#include <cuda_fp16.h>

static void must(bool good)
{
    if (good)
        return;
    printf("wrong result\n");
    exit(3);
}

static int *to_host(const int *device, int n)
{
    static int host[4096];
    cudaMemcpy(host, device, n * sizeof(int), cudaMemcpyDeviceToHost);
    return host;
}

static int *counting(int n) /* 0, 1, 2, ... on the device */
{
    static int host[4096];
    for (int i = 0; i < n; i++)
        host[i] = i;
    int *p = ints(n);
    cudaMemcpy(p, host, n * sizeof(int), cudaMemcpyHostToDevice);
    return p;
}

__global__ void broadcast(int *counter, int *out)
{
    int base;
    if (threadIdx.x == 0)
        base = atomicAdd(counter, 32);
    base = __shfl_sync(0xffffffff, base, 0);
    out[threadIdx.x] = base + threadIdx.x;
}
CASE(broadcast_of_one_lane)
{
    int *counter = ints(1), *out = ints(32);
    broadcast<<<1, 32>>>(counter, out);
    must(*to_host(counter, 1) == 32);
    must(to_host(out, 32)[5] == 5);
}

__device__ __noinline__ int chosen(int use, int v) { return use ? v : -1; }
__device__ __noinline__ int of_one(int v) { return threadIdx.x < 8 ? v : -1; }
__global__ void choose_by_call(int *out)
{
    int v;
    if (threadIdx.x < 8)
        v = 70;
    out[threadIdx.x] = chosen(threadIdx.x < 8, v) + of_one(v);
}
CASE(unwritten_and_not_chosen)
{
    int *out = ints(32);
    choose_by_call<<<1, 32>>>(out);
    must(to_host(out, 32)[0] == 140);
}

__device__ int from_lane(int v, int lane) { return __shfl_sync(0xffffffff, v, lane); }
__global__ void broadcast_by_call(int *out)
{
    int v;
    if (threadIdx.x == 7)
        v = 70;
    out[threadIdx.x] = from_lane(v, 7);
}
CASE(broadcast_in_a_function)
{
    int *out = ints(32);
    broadcast_by_call<<<1, 32>>>(out);
    must(to_host(out, 32)[0] == 70);
}

__global__ void partial_sum(const int *in, int *out, int n)
{
    int v;
    if ((int)threadIdx.x < n)
        v = in[threadIdx.x];
    int other = __shfl_down_sync(0xffffffff, v, 1);
    if ((int)threadIdx.x < n - 1)
        out[threadIdx.x] = v + other;
}
CASE(partial_warp_sum)
{
    int *out = ints(32);
    partial_sum<<<1, 32>>>(counting(20), out, 20);
    must(to_host(out, 32)[4] == 9 && to_host(out, 32)[25] == 0);
}

__global__ void leader(int *counter, int *out)
{
    unsigned mask = __activemask();
    int first = __ffs(mask) - 1, rank = __popc(mask & ((1u << threadIdx.x) - 1)), base;
    if ((int)threadIdx.x == first)
        base = atomicAdd(counter, __popc(mask));
    out[threadIdx.x] = __shfl_sync(mask, base, first) + rank;
}
CASE(leader_by_ballot)
{
    int *out = ints(32);
    leader<<<1, 32>>>(ints(1), out);
    must(to_host(out, 32)[31] == 31);
}

__global__ void same_condition(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v, scaled;
    if (i < n)
        v = in[i];
    scaled = v * 2;
    if (i < n)
        out[i] = scaled;
}
CASE(written_under_the_same_condition)
{
    same_condition<<<2, 32>>>((float *)ints(40), (float *)ints(40), 40);
}

__global__ void tile_edge(const float *in, float *out, int n)
{
    __shared__ float tile[2][33];
    float v[2];
    for (int k = 0; k < 2; k++)
        if ((int)threadIdx.x + 32 * k < n)
            v[k] = in[threadIdx.x + 32 * k];
    for (int k = 0; k < 2; k++)
        tile[k][threadIdx.x] = v[k];
    __syncthreads();
    for (int k = 0; k < 2; k++)
        if ((int)threadIdx.x + 32 * k < n)
            out[threadIdx.x + 32 * k] = tile[k][threadIdx.x];
}
CASE(edge_of_a_tile_unused) { tile_edge<<<1, 32>>>((float *)ints(50), (float *)ints(50), 50); }

__global__ void each_case(int *out, int mode)
{
    int v;
    switch (mode) {
    case 0: v = 4; break;
    case 1: v = 5; break;
    default: v = 6;
    }
    int w;
    do
        w = v++;
    while (v < 10);
    bool odd;
    if (w & 1)
        odd = true;
    else
        odd = false;
    out[threadIdx.x] = odd ? w : v;
}
CASE(written_in_each_case) { each_case<<<1, 32>>>(ints(32), 1); }

__global__ void choice(const int *in, int *out, int n)
{
    int i = threadIdx.x, v;
    if (i < n)
        v = in[i];
    out[i] = i < n ? v : -1;
    if (i < n && v > 2)
        out[i] = 2;
}
CASE(choice_of_a_value) { choice<<<1, 32>>>(counting(20), ints(32), 20); }

__global__ void best(const float *in, int *out, int n)
{
    float most = -1e30f;
    int at;
    for (int i = 0; i < n; i++)
        if (in[i] > most) {
            most = in[i];
            at = i;
        }
    out[threadIdx.x] = at;
}
CASE(best_of_many) { best<<<1, 32>>>((float *)ints(16), ints(32), 16); }

__device__ int block_sum(int v, int *s)
{
    s[threadIdx.x] = v;
    __syncthreads();
    int sum;
    if (threadIdx.x == 0) {
        sum = 0;
        for (unsigned i = 0; i < blockDim.x; i++)
            sum += s[i];
    }
    return sum;
}
__global__ void use_sum(const int *in, int *out)
{
    __shared__ int s[64];
    int sum = block_sum(in[threadIdx.x], s);
    if (threadIdx.x == 0)
        *out = sum;
}
CASE(result_in_one_thread)
{
    int *out = ints(1);
    use_sum<<<1, 64>>>(counting(64), out);
    must(*to_host(out, 1) == 2016);
}

__device__ void load_pair(const int *p, int &a, int &b) { a = p[0], b = p[1]; }
__device__ void minimum(const int *p, int n, int *value)
{
    *value = p[0];
    for (int i = 1; i < n; i++)
        *value = p[i] < *value ? p[i] : *value;
}
__global__ void by_reference(const int *in, int *out)
{
    int a, b, least;
    load_pair(in, a, b);
    minimum(in, 8, &least);
    out[threadIdx.x] = a + b + least;
}
CASE(by_reference) { by_reference<<<1, 32>>>(counting(8), ints(32)); }

__global__ void by_lambda(int *out)
{
    int sum;
    auto start = [&] { sum = 3; };
    auto add = [&](int x) { sum += x; };
    start();
    add(4);
    out[threadIdx.x] = sum;
}
CASE(by_lambda) { by_lambda<<<1, 32>>>(ints(32)); }

__global__ void register_tile(const float *a, const float *b, float *c)
{
    float x[4], y[4], sum[4][4];
#pragma unroll
    for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++)
            sum[i][j] = 0;
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 4; i++)
            x[i] = a[4 * k + i], y[i] = b[4 * k + i];
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                sum[i][j] += x[i] * y[j];
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[16 * threadIdx.x + 4 * i + j] = sum[i][j];
}
CASE(registers_filled_in_a_loop)
{
    register_tile<<<1, 2>>>((float *)ints(32), (float *)ints(32), (float *)ints(32));
}

__global__ void as_one_row(int *out)
{
    int m[4][8];
    for (int i = 0; i < 32; i++)
        m[0][i] = i;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += m[i][7];
    out[threadIdx.x] = sum;
}
CASE(matrix_as_one_row)
{
    int *out = ints(1);
    as_one_row<<<1, 1>>>(out);
    must(*to_host(out, 1) == 7 + 15 + 23 + 31);
}

__global__ void past_the_end(int *out)
{
    int a[8], *end = &a[8], sum = 0;
    for (int *p = a; p != end; p++)
        *p = 1;
    for (const int *p = a; p < a + 8; p++)
        sum += *p;
    out[threadIdx.x] = sum;
}
CASE(pointer_past_the_end) { past_the_end<<<1, 32>>>(ints(32)); }

__global__ void insertion_sort(int *data, int n)
{
    int a[16];
    for (int i = 0; i < n; i++)
        a[i] = data[i];
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i - 1;
        while (j >= 0 && a[j] > v) {
            a[j + 1] = a[j];
            j--;
        }
        a[j + 1] = v;
    }
    for (int i = 0; i < n; i++)
        data[i] = a[i];
}
CASE(insertion_sort) { insertion_sort<<<1, 1>>>(counting(16), 16); }

__global__ void search_tree(const int *left, const int *right, int *out)
{
    int stack[16], top = 0, seen = 0;
    stack[top++] = 0;
    while (top > 0) {
        int node = stack[--top];
        seen++;
        if (left[node])
            stack[top++] = left[node];
        if (right[node])
            stack[top++] = right[node];
    }
    *out = seen;
}
CASE(stack_of_a_search)
{
    int l[7] = {1, 3, 5}, r[7] = {2, 4, 6}, *a = ints(7), *b = ints(7), *out = ints(1);
    cudaMemcpy(a, l, sizeof l, cudaMemcpyHostToDevice);
    cudaMemcpy(b, r, sizeof r, cudaMemcpyHostToDevice);
    search_tree<<<1, 1>>>(a, b, out);
    must(*to_host(out, 1) == 7);
}

struct Padded {
    char c;
    float f;
    short s;
};
__global__ void fill_padded(Padded *a)
{
    a[threadIdx.x].c = 1, a[threadIdx.x].f = 2, a[threadIdx.x].s = 3;
}
__global__ void copy_padded(const Padded *a, Padded *b) { b[threadIdx.x] = a[31 - threadIdx.x]; }
CASE(struct_with_padding)
{
    Padded *a, *b;
    cudaMalloc(&a, 32 * sizeof(Padded));
    cudaMalloc(&b, 32 * sizeof(Padded));
    fill_padded<<<1, 32>>>(a);
    copy_padded<<<1, 32>>>(a, b);
}

struct Wide {
    int i;
    double d;
    char c;
};
__global__ void fill_wide(Wide *a)
{
    a[threadIdx.x].i = 1, a[threadIdx.x].d = 2, a[threadIdx.x].c = 3;
}
__global__ void copy_wide(const Wide *a, Wide *b)
{
    __shared__ Wide s[32];
    s[threadIdx.x] = a[threadIdx.x];
    __syncthreads();
    Wide w = s[31 - threadIdx.x];
    w.i++;
    b[threadIdx.x] = w;
}
CASE(struct_with_wide_padding)
{
    Wide *a, *b;
    cudaMalloc(&a, 32 * sizeof(Wide));
    cudaMalloc(&b, 32 * sizeof(Wide));
    fill_wide<<<1, 32>>>(a);
    copy_wide<<<1, 32>>>(a, b);
}

struct alignas(8) Tail {
    int key;
};
struct alignas(16) LongTail {
    int key, value;
};
__global__ void fill_tail(Tail *a, LongTail *c)
{
    a[threadIdx.x].key = threadIdx.x;
    c[threadIdx.x].key = c[threadIdx.x].value = 1;
}
__global__ void copy_tail(const Tail *a, Tail *b, const LongTail *c, LongTail *d)
{
    b[threadIdx.x] = a[31 - threadIdx.x];
    d[threadIdx.x] = c[31 - threadIdx.x];
}
CASE(aligned_struct_with_tail)
{
    Tail *a, *b;
    LongTail *c, *d;
    cudaMalloc(&a, 32 * sizeof(Tail));
    cudaMalloc(&b, 32 * sizeof(Tail));
    cudaMalloc(&c, 32 * sizeof(LongTail));
    cudaMalloc(&d, 32 * sizeof(LongTail));
    fill_tail<<<1, 32>>>(a, c);
    copy_tail<<<1, 32>>>(a, b, c, d);
}

struct Result {
    char found;
    double distance;
    int index;
};
__global__ void local_struct(Result *out)
{
    Result r;
    r.found = 1;
    r.distance = 2.5;
    r.index = threadIdx.x;
    out[threadIdx.x] = r;
}
CASE(local_struct_copied_out)
{
    Result *r;
    cudaMalloc(&r, 32 * sizeof(Result));
    local_struct<<<1, 32>>>(r);
}

struct Bits {
    unsigned a : 3, b : 7, c : 22;
};
__global__ void bit_fields(unsigned *out)
{
    Bits x;
    x.a = 1;
    x.b = 2;
    x.c = threadIdx.x;
    out[threadIdx.x] = x.a + x.b + x.c;
}
CASE(bit_fields) { bit_fields<<<1, 32>>>((unsigned *)ints(32)); }

union View {
    float f;
    unsigned u;
    unsigned char byte[4];
};
__global__ void union_view(unsigned *out)
{
    View v;
    v.f = threadIdx.x;
    out[threadIdx.x] = v.u + v.byte[1];
}
CASE(union_of_views) { union_view<<<1, 32>>>((unsigned *)ints(32)); }

__global__ void bytes_of_word(unsigned *out)
{
    unsigned char b[4];
    for (int i = 0; i < 4; i++)
        b[i] = threadIdx.x + i;
    unsigned word;
    memcpy(&word, b, 4);
    out[threadIdx.x] = word;
}
CASE(bytes_of_a_word) { bytes_of_word<<<1, 32>>>((unsigned *)ints(32)); }

__global__ void vector_members(const float4 *in, float4 *out)
{
    float4 v = in[threadIdx.x], w;
    w.x = v.w, w.y = v.z, w.z = v.y, w.w = v.x;
    out[threadIdx.x] = w;
    out[threadIdx.x].x += in[threadIdx.x].y;
}
CASE(vector_members) { vector_members<<<1, 8>>>((float4 *)ints(32), (float4 *)ints(32)); }

__global__ void vector_row(const float *in, float *out)
{
    __shared__ __align__(16) float s[32][36];
    float4 v = *(const float4 *)&in[4 * threadIdx.x];
    *(float4 *)&s[threadIdx.x][4] = v;
    __syncwarp();
    out[threadIdx.x] = s[threadIdx.x][4] + s[threadIdx.x][7];
}
CASE(vector_of_a_row) { vector_row<<<1, 32>>>((float *)ints(128), (float *)ints(32)); }

__global__ void heap_per_block(int *out)
{
    __shared__ int *data;
    if (threadIdx.x == 0)
        data = new int[blockDim.x];
    __syncthreads();
    data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = data[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0)
        delete[] data;
}
CASE(device_heap)
{
    int *out = ints(32);
    heap_per_block<<<4, 32>>>(ints(32));
    heap_per_block<<<1, 32>>>(out);
    must(to_host(out, 32)[0] == 31);
}

__device__ int *list;
__global__ void make_list() { list = (int *)malloc(32 * sizeof(int)); }
__global__ void fill_list() { list[threadIdx.x] = threadIdx.x; }
__global__ void read_list(int *out) { out[threadIdx.x] = list[31 - threadIdx.x]; }
__global__ void drop_list() { free(list); }
CASE(device_heap_across_kernels)
{
    make_list<<<1, 1>>>();
    fill_list<<<1, 32>>>();
    read_list<<<1, 32>>>(ints(32));
    drop_list<<<1, 1>>>();
}

struct Node {
    int value;
    Node *next;
};
__global__ void nodes(int *out)
{
    Node *head = 0;
    for (int i = 0; i < 5; i++) {
        Node *n = new Node;
        n->value = i, n->next = head;
        head = n;
    }
    int sum = 0;
    while (head) {
        Node *next = head->next;
        sum += head->value;
        delete head;
        head = next;
    }
    out[threadIdx.x] = sum;
}
CASE(device_heap_of_nodes) { nodes<<<1, 32>>>(ints(32)); }

__global__ void large_local(float *out)
{
    float a[20000];
    for (int i = 0; i < 20000; i++)
        a[(i * 7 + threadIdx.x) % 20000] = i;
    out[threadIdx.x] = a[threadIdx.x * 100 % 20000];
}
CASE(large_local_array) { large_local<<<1, 4>>>((float *)ints(4)); }

__device__ int ackermann(int m, int n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
__global__ void recursion(int *out) { *out = ackermann(2, 300); }
CASE(deep_recursion)
{
    int *out = ints(1);
    cudaDeviceSetLimit(cudaLimitStackSize, 256 << 10);
    recursion<<<1, 1>>>(out);
    must(*to_host(out, 1) == 603);
}

__global__ void shifts(unsigned *out, int n, int negative)
{
    out[0] = (1u << n) - 1;
    out[1] = ~0u >> n;
    out[2] = negative >> n;
    out[3] = (unsigned)((1ull << (n + 32)) >> 3);
}
CASE(shift_by_the_width)
{
    int *out = ints(4);
    shifts<<<1, 1>>>((unsigned *)out, 32, -5);
    const int *h = to_host(out, 4);
    must(h[0] == -1 && h[1] == 0 && h[2] == -1 && h[3] == 0);
}

__global__ void divide(const int *a, const int *b, int *out)
{
    int i = threadIdx.x, q = a[i] / b[i], r = a[i] % b[i];
    out[i] = b[i] ? q + r : -7;
}
CASE(division_by_zero_unused)
{
    int *out = ints(32);
    divide<<<1, 32>>>(counting(32), ints(32), out);
    must(to_host(out, 32)[3] == -7);
}

__global__ void overflow(int *out, int a)
{
    unsigned hash = 5381;
    for (int i = 0; i < 32; i++)
        hash = hash * 33 + i;
    out[0] = a + 1;
    out[1] = (int)(hash & 1);
    out[2] = a + 1 > a;
    out[3] = INT_MIN / (a - INT_MAX - 1);
}
CASE(overflow_wraps)
{
    int *out = ints(4);
    overflow<<<1, 1>>>(out, INT_MAX);
    must(to_host(out, 4)[0] == INT_MIN);
}

__global__ void convert(int *out, float big)
{
    out[0] = (int)big;
    out[1] = (int)-big;
    out[2] = (unsigned)-big;
    out[3] = (unsigned char)(big * 0 + 300);
    out[4] = (int)(big * 0 / 0);
}
CASE(conversion_saturates)
{
    int *out = ints(5);
    convert<<<1, 1>>>(out, 3e9f);
    const int *h = to_host(out, 5);
    must(h[0] == INT_MAX && h[1] == INT_MIN && h[2] == 0 && h[3] == 44 && h[4] == 0);
}

__device__ int sign_or_nothing(int x)
{
    if (x > 0)
        return 1;
    if (x < 0)
        return -1;
} /* for 0, which nobody asks for */
__global__ void signs(int *out) { out[threadIdx.x] = sign_or_nothing((int)threadIdx.x + 1); }
CASE(no_value_returned) { signs<<<1, 32>>>(ints(32)); }

__global__ void optional_output(const int *in, int *out, int *more)
{
    out[threadIdx.x] = in[threadIdx.x];
    if (more)
        more[threadIdx.x] = 1;
}
CASE(null_is_asked_for) { optional_output<<<1, 32>>>(counting(32), ints(32), 0); }

__global__ void compute_long(float *out, int n)
{
    float x = threadIdx.x;
    for (int i = 0; i < n; i++)
        x = x * 0.5f + 1;
    if (x > 1e30f)
        *out = x;
}
CASE(no_memory_for_long) { compute_long<<<64, 64>>>((float *)ints(1), 100000); }

__global__ void wait_cycles(long long *out, long long cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles)
        ;
    out[threadIdx.x] = clock64() - start;
}
CASE(waits_by_the_clock) { wait_cycles<<<1, 32>>>((long long *)ints(64), 1000000000); }

__global__ void over_table(const int *table, int *out)
{
    int sum = 0;
    for (int round = 0; round < 2000; round++)
        for (int i = 0; i < 16; i++)
            sum += table[i] ^ round;
    out[threadIdx.x] = sum;
}
CASE(loops_over_a_table) { over_table<<<2, 32>>>(counting(16), ints(32)); }

__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
CASE(host_reads_when_allowed)
{
    int *managed, *pinned, *p = ints(32);
    cudaStream_t s;
    cudaEvent_t done;
    cudaStreamCreate(&s);
    cudaEventCreate(&done);
    cudaMallocManaged(&managed, 128);
    cudaMallocHost(&pinned, 128);
    managed[3] = 1;
    fill<<<1, 32>>>(managed);
    cudaDeviceSynchronize();
    must(managed[3] == 3);
    fill<<<1, 32, 0, s>>>(p);
    cudaMemcpyAsync(pinned, p, 128, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(done, s);
    cudaEventSynchronize(done);
    must(pinned[5] == 5);
    pinned[5] = 0;
    managed[4] = 2;
    cudaMemcpyAsync(p, pinned, 128, cudaMemcpyHostToDevice, s);
    cudaStreamSynchronize(s);
    pinned[0] = 1;
    must(to_host(p, 32)[5] == 0);
}

CASE(host_uses_other_memory)
{
    int *busy, *idle, *pinned;
    cudaMallocManaged(&busy, 128);
    cudaMallocManaged(&idle, 128);
    cudaMallocHost(&pinned, 8192);
    fill<<<1, 32>>>(busy);
    for (int i = 0; i < 32; i++)
        idle[i] = i;
    pinned[100] = 1;
    cudaMemcpyAsync(pinned, busy, 128, cudaMemcpyDefault);
    pinned[40] = pinned[100];
    cudaDeviceSynchronize();
    must(busy[31] == 31 && idle[31] == 31 && pinned[31] == 31);
}

CASE(host_reads_results_of_two_streams)
{
    int *host[2], *p[2];
    cudaStream_t s[2];
    cudaEvent_t first;
    cudaEventCreate(&first);
    for (int i = 0; i < 2; i++) {
        cudaStreamCreate(&s[i]);
        cudaMallocHost(&host[i], 128);
        p[i] = ints(32);
    }
    fill<<<1, 32, 0, s[0]>>>(p[0]);
    cudaMemcpyAsync(host[0], p[0], 128, cudaMemcpyDeviceToHost, s[0]);
    cudaEventRecord(first, s[0]);
    cudaStreamWaitEvent(s[1], first, 0);
    cudaMemcpyAsync(host[1], p[0], 128, cudaMemcpyDeviceToHost, s[1]);
    cudaStreamSynchronize(s[1]);
    must(host[0][7] == 7 && host[1][7] == 7);
    for (int i = 0; i < 2; i++) {
        cudaStreamDestroy(s[i]);
        cudaFreeHost(host[i]);
    }
}

CASE(pageable_copy_returns_when_done)
{
    int host[32], *p = ints(32);
    fill<<<1, 32>>>(p);
    cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, 0);
    must(host[9] == 9);
    host[9] = 1;
}

__global__ void tell(volatile int *flag, int *data)
{
    data[0] = 5;
    __threadfence_system();
    *flag = 1;
}
CASE(flag_to_the_host)
{
    int *shared;
    cudaHostAlloc(&shared, 8192, cudaHostAllocMapped);
    shared[0] = 0;
    tell<<<1, 1>>>(shared, shared + 1024);
    while (*(volatile int *)shared == 0)
        ;
    must(shared[1024] == 5);
}

CASE(launch_checked)
{
    fill<<<1, 4096>>>(ints(32));
    must(cudaGetLastError() == cudaErrorInvalidConfiguration);
    must(cudaDeviceSynchronize() == cudaSuccess);
}

CASE(freed_nothing)
{
    int *p = ints(32);
    cudaFree(p);
    cudaFree(0);
    cudaFreeHost(0);
}

CASE(partly_used_memory)
{
    char *p;
    if (cudaMalloc(&p, (size_t)256 << 20) == cudaSuccess) {
        fill<<<1, 32>>>((int *)(p + ((size_t)100 << 20)));
        cudaMemset(p, 0, (size_t)200 << 20);
        fill<<<1, 32>>>((int *)p);
        cudaFree(p);
    }
}

CASE(reused_after_free)
{
    for (int i = 0; i < 20; i++) {
        int *p = ints(1000);
        fill<<<1, 32>>>(p);
        must(to_host(p, 32)[31] == 31);
        cudaFree(p);
    }
}

__constant__ int table[4] = {1, 2, 3, 4};
__device__ int counter, other[3];
__global__ void use_table(int *out)
{
    static const int squares[5] = {0, 1, 4, 9, 16};
    out[threadIdx.x] = table[threadIdx.x % 4] + squares[threadIdx.x % 5];
    if (threadIdx.x == 0)
        counter = 1, other[2] = 3;
}
CASE(constant_table_indexed) { use_table<<<1, 32>>>(ints(32)); }

__global__ void half_words(const __half *in, __half *out, unsigned char *bytes)
{
    __shared__ __half s[33];
    s[threadIdx.x] = in[threadIdx.x];
    bytes[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
CASE(half_words)
{
    half_words<<<1, 32>>>((__half *)ints(16), (__half *)ints(16), (unsigned char *)ints(8));
}

struct Parameters {
    int n, factor[4];
};
__device__ int use(const Parameters &p, int i) { return p.n + p.factor[i]; }
__global__ void grid_constant(const __grid_constant__ Parameters p, const Parameters q, int *out)
{
    out[threadIdx.x] = use(p, threadIdx.x % 4) + use(q, 3);
}
CASE(grid_constant_struct) { grid_constant<<<1, 32>>>({1, {1, 2, 3, 4}}, {2, {}}, ints(32)); }

__global__ void smaller_elements(const int4 *in, int *out)
{
    int4 four[2] = {in[threadIdx.x], in[threadIdx.x]};
    int from = out[threadIdx.x] * 3 % 16;
    out[threadIdx.x] = ((const short *)four)[from] + ((const unsigned char *)four)[from + 16];
}
CASE(local_array_as_smaller_elements)
{
    int *out = counting(32);
    smaller_elements<<<1, 32>>>((int4 *)ints(128), out);
    must(to_host(out, 32)[5] == 0);
}
