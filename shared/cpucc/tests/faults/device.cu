/* Faults of a single thread: bounds, alignment, local memory, values that nobody wrote. */
#include "../order/order.h"

__global__ void shift_left(int *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] = p[i + 1] + 1; /* FAULT: out_of_bounds */
}
CASE(global_past_end) { shift_left<<<1, 1>>>(ints(1), 1); }

__global__ void before_start(int *p) { p[(int)threadIdx.x - 1] = 1; } /* FAULT: out_of_bounds */
CASE(global_before_start) { before_start<<<1, 32>>>(ints(32)); }

__global__ void far_away(int *p, size_t n) { p[n] = 1; } /* FAULT: out_of_bounds */
CASE(global_far_away) { far_away<<<1, 1>>>(ints(32), 10000); }

__global__ void null_pointer(int *p) { *p = 1; } /* FAULT: out_of_bounds */
CASE(null_pointer) { null_pointer<<<1, 1>>>(0); }

__device__ int table[10], behind_table[64];
__global__ void fill_table() { table[threadIdx.x] = behind_table[0]; } /* FAULT: out_of_bounds */
CASE(device_variable_past_end) { fill_table<<<1, 32>>>(); }

__device__ int before_row[64], row[10];
__global__ void from_row(int *p, int k)
{
    p[threadIdx.x] = row[k - 1] + before_row[0]; /* FAULT: out_of_bounds */
}
CASE(device_variable_before_start) { from_row<<<1, 32>>>(ints(32), 0); }

__constant__ float weights[5];
__constant__ float more_weights[64];
__global__ void convolve(float *out)
{
    float sum = more_weights[0];
    for (int k = 0; k <= 5; k++)
        sum += weights[k]; /* FAULT: out_of_bounds */
    out[threadIdx.x] = sum;
}
CASE(constant_past_end) { convolve<<<1, 32>>>((float *)ints(32)); }

__global__ void scale_weights()
{
    ((float *)weights)[threadIdx.x] *= 2; /* FAULT: constant_write */
}
CASE(constant_written) { scale_weights<<<1, 5>>>(); }

__global__ void shared_past_end(int *out)
{
    __shared__ int tile[4][8];
    tile[threadIdx.x / 8][threadIdx.x % 8] = 1; /* FAULT: out_of_bounds */
    __syncthreads();
    out[threadIdx.x] = tile[0][0];
}
CASE(shared_past_end) { shared_past_end<<<1, 40>>>(ints(40)); }

__global__ void dynamic_none(int *out)
{
    extern __shared__ int buffer[];
    buffer[threadIdx.x] = out[threadIdx.x]; /* FAULT: out_of_bounds */
}
CASE(dynamic_shared_forgotten) { dynamic_none<<<1, 64>>>(ints(64)); }

__device__ int *kept;
__global__ void heap_after_free(int *out)
{
    kept = new int[8];
    kept[0] = 1;
    delete[] kept;
    *out = kept[0]; /* FAULT: out_of_bounds */
}
CASE(device_heap_after_free) { heap_after_free<<<1, 1>>>(ints(1)); }

__global__ void heap_make() { kept = (int *)malloc(64); }
__global__ void heap_free() { free(kept); } /* FAULT: double_free */
CASE(device_heap_freed_twice)
{
    heap_make<<<1, 1>>>();
    heap_free<<<1, 1>>>();
    heap_free<<<1, 1>>>();
}

__global__ void free_other(int *p) { free(p); } /* FAULT: bad_free */
CASE(device_frees_host_memory) { free_other<<<1, 1>>>(ints(4)); }

__global__ void local_histogram(const int *in, int *out)
{
    int count[4] = {0};
    for (int i = 0; i < 8; i++)
        count[in[i]]++; /* FAULT: out_of_bounds */
    out[threadIdx.x] = count[threadIdx.x % 4];
}
CASE(local_histogram)
{
    int *in = ints(8), five = 5;
    cudaMemcpy(in + 3, &five, 4, cudaMemcpyHostToDevice);
    local_histogram<<<1, 4>>>(in, ints(4));
}

__global__ void local_negative(int *out, int k)
{
    int window[3] = {1, 2, 3};
    out[threadIdx.x] = window[(int)threadIdx.x - k]; /* FAULT: out_of_bounds */
}
CASE(local_array_negative) { local_negative<<<1, 3>>>(ints(3), 1); }

__global__ void local_matrix(float *out, int n)
{
    float m[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < n; j++)
            m[i][j] = i + j; /* FAULT: out_of_bounds */
    out[threadIdx.x] = m[threadIdx.x % 3][0];
}
CASE(local_matrix) { local_matrix<<<1, 32>>>((float *)ints(32), 4); }

struct Pair {
    float value;
    int index;
};
__global__ void local_structs(int *out, int n)
{
    Pair best[4];
    for (int i = 0; i < n; i++) {
        best[i].value = 1; /* FAULT: out_of_bounds */
        best[i].index = i; /* FAULT: out_of_bounds */
    }
    out[threadIdx.x] = best[2].index;
}
CASE(local_array_of_structs) { local_structs<<<1, 1>>>(ints(1), 5); }

struct Stack {
    int top;
    int item[6];
};
__global__ void local_stack(int *out, int n)
{
    Stack s;
    s.top = 0;
    for (int i = 0; i < n; i++)
        s.item[s.top++] = i; /* FAULT: out_of_bounds */
    out[threadIdx.x] = s.item[0];
}
CASE(local_array_in_struct) { local_stack<<<1, 1>>>(ints(1), 7); }

__global__ void unwritten_sum(const float *in, float *out, int n)
{
    float sum;
    for (int i = 0; i < n; i++)
        sum += in[i];
    out[threadIdx.x] = sum; /* FAULT: uninitialised */
}
CASE(unwritten_sum) { unwritten_sum<<<1, 1>>>((float *)ints(8), (float *)ints(1), 8); }

__global__ void unwritten_accumulators(const float *a, float *out)
{
    float c[2][2];
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                c[i][j] += a[k];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            out[2 * i + j] = c[i][j]; /* FAULT: uninitialised */
}
CASE(unwritten_accumulators)
{
    unwritten_accumulators<<<1, 1>>>((float *)ints(4), (float *)ints(4));
}

__global__ void unwritten_branch(const int *in, int *out, int n)
{
    bool found;
    for (int i = 0; i < n; i++)
        if (in[i] == 7)
            found = true;
    if (found) /* FAULT: uninitialised */
        *out = 1;
}
CASE(unwritten_branch) { unwritten_branch<<<1, 1>>>(ints(4), ints(1), 4); }

__global__ void unwritten_bound(int *out, int mode)
{
    int n;
    if (mode == 1)
        n = 4;
    for (int i = 0; i < n; i++) /* FAULT: uninitialised */
        out[0] += i;
}
CASE(unwritten_loop_bound) { unwritten_bound<<<1, 1>>>(ints(1), 0); }

__global__ void unwritten_index(const float *in, float *out, int n)
{
    int best;
    float most = 0;
    for (int i = 0; i < n; i++)
        if (in[i] > most)
            most = in[i], best = i;
    out[0] = in[best]; /* FAULT: uninitialised */
}
CASE(unwritten_index) { unwritten_index<<<1, 1>>>((float *)ints(4), (float *)ints(1), 4); }

__global__ void unwritten_switch(int *out, int mode)
{
    int factor;
    switch (mode) {
    case 0: factor = 1; break;
    case 1: factor = 2; break;
    }
    out[threadIdx.x] = factor * 3; /* FAULT: uninitialised */
}
CASE(unwritten_switch) { unwritten_switch<<<1, 32>>>(ints(32), 2); }

__global__ void unwritten_pointer(int *a, int n)
{
    int *p;
    if (n > 0)
        p = a;
    *p = 1; /* FAULT: uninitialised, out_of_bounds */
}
CASE(unwritten_pointer) { unwritten_pointer<<<1, 1>>>(ints(1), 0); }

__global__ void unwritten_in_shared(const float *in, float *out, int n)
{
    __shared__ float s[32];
    float v;
    if ((int)threadIdx.x < n)
        v = in[threadIdx.x];
    s[threadIdx.x] = v; /* FAULT: uninitialised */
    __syncthreads();
    out[threadIdx.x] = s[31 - threadIdx.x];
}
CASE(unwritten_in_shared)
{
    unwritten_in_shared<<<1, 32>>>((float *)ints(32), (float *)ints(32), 20);
}

__global__ void unwritten_atomic(int *out, int n)
{
    int mine;
    if ((int)threadIdx.x < n)
        mine = 1;
    atomicAdd(out, mine); /* FAULT: uninitialised */
}
CASE(unwritten_atomic) { unwritten_atomic<<<1, 32>>>(ints(1), 20); }

__device__ float doubled(float x) { return 2 * x; }
__global__ void unwritten_argument(const float *in, float *out, int n)
{
    float v;
    if ((int)threadIdx.x < n)
        v = in[threadIdx.x];
    out[threadIdx.x] = sqrtf(doubled(v)); /* FAULT: uninitialised */
}
CASE(unwritten_argument)
{
    unwritten_argument<<<1, 32>>>((float *)ints(32), (float *)ints(32), 20);
}

__global__ void unwritten_global(const int *in, int *out)
{
    out[threadIdx.x] = in[threadIdx.x]; /* FAULT: uninitialised */
}
CASE(unwritten_global)
{
    int *p;
    cudaMalloc(&p, 128);
    unwritten_global<<<1, 32>>>(p, ints(32));
}

__global__ void misaligned_double(double *p) { p[threadIdx.x] = 1; } /* FAULT: misaligned */
CASE(misaligned_double) { misaligned_double<<<1, 4>>>((double *)(ints(16) + 1)); }

struct alignas(8) Complex {
    float re, im;
};
__global__ void misaligned_struct(Complex *a, Complex *b)
{
    b[threadIdx.x] = a[threadIdx.x]; /* FAULT: misaligned */
}
CASE(misaligned_struct)
{
    misaligned_struct<<<1, 4>>>((Complex *)(ints(16) + 1), (Complex *)ints(8));
}

struct __align__(16) Body { float x, y, z, mass; };
__global__ void misaligned_members(Body *b) { b[threadIdx.x].x += 1; /* FAULT: misaligned */ }
CASE(misaligned_struct_members) { misaligned_members<<<1, 4>>>((Body *)(ints(32) + 2)); }

struct __align__(16) Large { float v[8]; };
__global__ void misaligned_large(const Large *a, Large *b)
{
    b[threadIdx.x] = a[threadIdx.x]; /* FAULT: misaligned */
}
CASE(misaligned_large_struct)
{
    misaligned_large<<<1, 2>>>((Large *)ints(16), (Large *)(ints(32) + 2));
}

__global__ void too_much_unread(float *out)
{
    __shared__ float scratch[13000]; /* FAULT: shared_size */
    scratch[threadIdx.x] = out[threadIdx.x];
}
CASE(too_much_unread) { too_much_unread<<<1, 32>>>((float *)ints(32)); }

__device__ int depth_of(volatile int *p, int n)
{
    int here[16];
    here[n % 16] = p[0];
    return n ? depth_of(p, n - 1) + here[n % 16] : 0; /* FAULT: stack_overflow */
}
__global__ void too_deep(int *p, int n) { p[1] = depth_of(p, n); }
CASE(too_deep) { too_deep<<<1, 1>>>(ints(2), 1 << 28); }

typedef int (*Function)(int);
__device__ Function function_table[4];
__global__ void no_function(int *out) { *out = function_table[2](1); } /* FAULT: out_of_bounds */
CASE(no_function) { no_function<<<1, 1>>>(ints(1)); }

__global__ void number_as_function(int *out) { *out = ((Function)5)(1); } /* FAULT: out_of_bounds */
CASE(number_as_function) { number_as_function<<<1, 1>>>(ints(1)); }

__device__ int one_more(int x) { return x + 1; }
__global__ void middle_of_function(int *out, int by)
{
    Function f = one_more;
    out[0] = f(1);
    out[0] = ((Function)((size_t)f + by))(1); /* FAULT: out_of_bounds */
}
CASE(middle_of_function) { middle_of_function<<<1, 1>>>(ints(1), 1); }

__global__ void read_host(const int *p, int *out) { *out = *p; } /* FAULT: out_of_bounds */
CASE(host_pointer)
{
    static int host = 3;
    read_host<<<1, 1>>>(&host, ints(1));
}

__global__ void traps(int *p)
{
    if (p[0] == 0)
        __trap(); /* FAULT: trap */
    p[0] = 1;
}
CASE(trap) { traps<<<1, 1>>>(ints(1)); }

__global__ void no_such_case(int *p, int n)
{
    switch (n) {
    case 0: p[0] = 3; break;
    case 2: p[2] = 4; break;
    case 3: p[3] = 8; break;
    default: __builtin_unreachable(); /* FAULT: trap */
    }
}
CASE(unreachable_default) { no_such_case<<<1, 1>>>(ints(4), 5); }

__global__ void poll_moving(volatile int *flags, int n)
{
    for (int i = 0; flags[i] == 0; i = (i + 1) % n) /* FAULT: endless_wait */
        ;
}
CASE(poll_moving) { poll_moving<<<1, 1>>>(ints(64), 64); }

__global__ void takes_for_aligned(int *out)
{
    extern __shared__ int loose[];
    __shared__ int counter;
    counter = 0;
    assert(((size_t)loose & 127) == 0); /* FAULT: assertion */
    loose[threadIdx.x] = counter;
    out[threadIdx.x] = loose[threadIdx.x];
}
CASE(dynamic_taken_for_aligned) { takes_for_aligned<<<1, 32, 128>>>(ints(32)); }

__global__ void aligns_without_room(int *out)
{
    extern __shared__ int loose[];
    __shared__ int counter;
    int *tile = (int *)(((size_t)loose + 127) / 128 * 128);
    counter = 0;
    tile[threadIdx.x] = counter; /* FAULT: out_of_bounds */
    out[threadIdx.x] = tile[threadIdx.x];
}
CASE(dynamic_aligned_by_hand_without_room) { aligns_without_room<<<1, 32, 128>>>(ints(32)); }

__global__ void double_in_a_float_tile(double *out, int at)
{
    __shared__ float tile[64];
    tile[threadIdx.x] = tile[threadIdx.x + 32] = 0;
    __syncthreads();
    out[threadIdx.x] = *(double *)&tile[at]; /* FAULT: misaligned */
}
CASE(double_in_a_float_tile) { double_in_a_float_tile<<<1, 32>>>((double *)ints(64), 3); }

__device__ unsigned char packet[64];
__global__ void word_in_bytes(int at) { *(unsigned *)&packet[at] = 1; } /* FAULT: misaligned */
CASE(word_in_bytes) { word_in_bytes<<<1, 1>>>(6); }

struct __attribute__((packed)) Record {
    char tag;
    int id;
    double value;
};
__device__ Record record[4];
__global__ void packed_struct(double *out)
{
    record[threadIdx.x].id = threadIdx.x;
    record[threadIdx.x].value = 2;
    out[threadIdx.x] = record[threadIdx.x].value + record[threadIdx.x].id;
}
CASE(packed_struct) { packed_struct<<<1, 4>>>((double *)ints(8)); }

namespace outer
{
namespace
{
__device__ int counters[4];
}
} // namespace outer
__global__ void count_too_far(int *out, int n)
{
    outer::counters[n] = 1; /* FAULT: out_of_bounds */
    *out = outer::counters[0];
}
CASE(variable_in_a_namespace) { count_too_far<<<1, 1>>>(ints(1), 4); }

static int unchanged(int v) { return v; }
__global__ void calls(int *out, int (*f)(int))
{
    out[threadIdx.x] = f(threadIdx.x); /* FAULT: out_of_bounds */
}
CASE(host_function) { calls<<<1, 32>>>(ints(32), unchanged); }

__global__ void asserts(int *p) { assert(p[threadIdx.x] != 0); } /* FAULT: assertion */
CASE(failed_assertion) { asserts<<<1, 32>>>(ints(32)); }

__global__ void absent_lane(int *p)
{
    int v = p[threadIdx.x];
    if (threadIdx.x % 32 < 16)
        v = __shfl_sync(0x0000ffff, v, 20); /* FAULT: lane_mask */
    p[threadIdx.x] = v;
}
CASE(shuffle_from_an_absent_lane) { absent_lane<<<1, 32>>>(ints(32)); }

__global__ void half_of_the_warp(int *p)
{
    int v = p[threadIdx.x];
    if (threadIdx.x % 2 == 0)
        v = __shfl_sync(0xffffffff, v, 0); /* FAULT: endless_wait */
    else
        __syncthreads();
    p[threadIdx.x] = v;
}
CASE(shuffle_in_a_branch) { half_of_the_warp<<<1, 32>>>(ints(32)); }

__device__ unsigned finished;
__global__ void last_adds(const int *in, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        out[blockIdx.x] = in[blockIdx.x];
        last = atomicAdd(&finished, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (unsigned i = 0; i < gridDim.x; i++)
            out[64] += out[i]; /* FAULT: race_read_after_write */
}
CASE(last_block_without_any_fence) { last_adds<<<8, 32>>>(ints(8), ints(65)); }

__global__ void long_array(int *p, int n)
{
    /* FAULT: stack_overflow (longer_than_the_stack, far_too_long, negative_length) */
    int *here = (int *)alloca(n * sizeof *here);
    for (int i = 0; i < n; i++)
        here[i] = p[0];
    p[1] = here[n / 2];
}
CASE(longer_than_the_stack) { long_array<<<1, 2>>>(ints(2), 600000); }
CASE(far_too_long) { long_array<<<1, 2>>>(ints(2), 1 << 30); }
CASE(negative_length) { long_array<<<1, 2>>>(ints(2), -3); }

__global__ void number_as_text() { printf("%s\n", 5); } /* FAULT: out_of_bounds */
CASE(print_number_as_text) { number_as_text<<<1, 1>>>(); }

__global__ void too_little() { printf("%d %d\n", 5); } /* FAULT: out_of_bounds */
CASE(print_too_little) { too_little<<<1, 1>>>(); }

__global__ void text_past_end(const char *p) { printf("%s\n", p); } /* FAULT: out_of_bounds */
CASE(print_past_end)
{
    char *p;
    cudaMalloc(&p, 4);
    cudaMemset(p, 'a', 4);
    text_past_end<<<1, 1>>>(p);
}

__global__ void fetch(cudaTextureObject_t t, float *p)
{
    /* FAULT: out_of_bounds (no_texture, destroyed_texture, freed_array, pitch_past_end) */
    *p = tex2D<float>(t, 1, 1);
}
static cudaTextureObject_t texture_of(cudaResourceDesc r)
{
    cudaTextureObject_t t;
    cudaTextureDesc how = {};
    cudaCreateTextureObject(&t, &r, &how, NULL);
    return t;
}
static cudaChannelFormatDesc one_float() { return cudaCreateChannelDesc<float>(); }
static cudaResourceDesc in_array(cudaArray_t *a)
{
    cudaChannelFormatDesc format = one_float();
    cudaResourceDesc r = {};
    cudaMallocArray(a, &format, 4, 4);
    r.resType = cudaResourceTypeArray;
    r.res.array.array = *a;
    return r;
}
CASE(no_texture) { fetch<<<1, 1>>>(7, (float *)ints(1)); }
CASE(destroyed_texture)
{
    cudaArray_t a;
    cudaTextureObject_t t = texture_of(in_array(&a));
    cudaDestroyTextureObject(t);
    fetch<<<1, 1>>>(t, (float *)ints(1));
}
CASE(freed_array)
{
    cudaArray_t a;
    cudaTextureObject_t t = texture_of(in_array(&a));
    cudaFreeArray(a);
    fetch<<<1, 1>>>(t, (float *)ints(1));
}
CASE(pitch_past_end)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypePitch2D;
    r.res.pitch2D = {ints(4), one_float(), 4, 4, 512};
    fetch<<<1, 1>>>(texture_of(r), (float *)ints(1));
}

__global__ void write_surface(cudaSurfaceObject_t s)
{
    surf2Dwrite(1.f, s, 4, 1); /* FAULT: out_of_bounds */
}
CASE(no_surface) { write_surface<<<1, 1>>>(0); }
