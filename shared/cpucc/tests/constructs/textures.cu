/* Textures and surfaces: filters, address modes, element types, linear memory, layers. */
#include "constructs.h"
#include <string.h>

enum { W = 8, H = 4, N = 32 };

__global__ void fetch_2d(cudaTextureObject_t t, float scale, float shift, float *out)
{
    int i = threadIdx.x;
    out[i] = tex2D<float>(t, (i % W) * scale + shift, (i / W) * scale + shift);
}
__global__ void fetch_1d(cudaTextureObject_t t, float *out)
{
    out[threadIdx.x] = tex1D<float>(t, ((int)threadIdx.x - 4) / 8.0f);
}
__global__ void fetch_bytes(cudaTextureObject_t t, float4 *out)
{
    out[threadIdx.x] = tex2D<float4>(t, threadIdx.x, 0);
}
__global__ void fetch_elements(cudaTextureObject_t t, int *out)
{
    int2 v;
    tex1Dfetch(&v, t, (int)threadIdx.x - 1);
    out[threadIdx.x] = v.x * 100 + v.y;
}
__global__ void layers(cudaTextureObject_t t, int *out)
{
    out[threadIdx.x] = tex2DLayered<int>(t, threadIdx.x % W, 1, threadIdx.x / W);
}
__global__ void turn(cudaSurfaceObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x % W, y = threadIdx.x / W;
    short v = surf2Dread<short>(from, x * 2, y);
    surf2Dwrite((short)(v + surf2Dread<short>(from, -2, y, cudaBoundaryModeZero)), to, y * 2, x);
}

static cudaTextureObject_t texture_of(cudaArray_t a, cudaTextureFilterMode filter,
                                      cudaTextureAddressMode mode, int normalized,
                                      cudaTextureReadMode read = cudaReadModeElementType)
{
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray, r.res.array.array = a;
    cudaTextureDesc d = {};
    d.addressMode[0] = d.addressMode[1] = d.addressMode[2] = mode;
    d.filterMode = filter, d.normalizedCoords = normalized, d.readMode = read;
    d.borderColor[0] = -5;
    cudaTextureObject_t t = 0;
    EXPECT(cudaCreateTextureObject(&t, &r, &d, nullptr) == cudaSuccess);
    return t;
}

static float got[4 * N];
static void *memory()
{
    static void *p;
    if (!p)
        cudaMalloc(&p, sizeof got);
    return p;
}
static float *take()
{
    EXPECT(cudaMemcpy(got, memory(), sizeof got, cudaMemcpyDeviceToHost) == cudaSuccess);
    return got;
}

static void floats()
{
    float *out = (float *)memory(), squares[N];
    for (int i = 0; i < N; i++)
        squares[i] = (float)(i * i);
    cudaMemset(out, 0, sizeof got);
    cudaArray_t a, line;
    cudaChannelFormatDesc f = cudaCreateChannelDesc<float>();
    EXPECT(cudaMallocArray(&a, &f, W, H) == cudaSuccess);
    EXPECT(cudaMemcpy2DToArray(a, 0, 0, squares, W * 4, W * 4, H, cudaMemcpyHostToDevice) ==
           cudaSuccess);
    fetch_2d<<<1, N>>>(texture_of(a, cudaFilterModePoint, cudaAddressModeClamp, 0), 1, 0.9f, out);
    EXPECT(take()[9] == 81 && got[31] == 961);
    /* halfway between four texels, then past the edge */
    fetch_2d<<<1, N>>>(texture_of(a, cudaFilterModeLinear, cudaAddressModeClamp, 0), 1, 1, out);
    EXPECT(take()[0] == (0 + 1 + 64 + 81) / 4.0f && got[31] == 961);
    fetch_2d<<<1, N>>>(texture_of(a, cudaFilterModeLinear, cudaAddressModeBorder, 0), 1, 4, out);
    EXPECT(take()[31] == -5);
    fetch_2d<<<1, N>>>(texture_of(a, cudaFilterModePoint, cudaAddressModeWrap, 1), 1, 0.5f, out);
    EXPECT(take()[11] == 20 * 20);
    EXPECT(cudaMallocArray(&line, &f, 8) == cudaSuccess);
    cudaMemcpyToArray(line, 0, 0, squares, 32, cudaMemcpyHostToDevice);
    fetch_1d<<<1, N>>>(texture_of(line, cudaFilterModePoint, cudaAddressModeMirror, 1), out);
    EXPECT(take()[3] == 0 && got[0] == 9 && got[4] == 0 && got[11] == 49 && got[12] == 49);
    fetch_1d<<<1, N>>>(texture_of(line, cudaFilterModeLinear, cudaAddressModeWrap, 1), out);
    EXPECT(take()[4] == 24.5f && got[5] == 0.5f);
    EXPECT(cudaFreeArray(a) == cudaSuccess && cudaFreeArray(line) == cudaSuccess);
}

static void whole_numbers()
{
    cudaArray_t a, b, stack;
    unsigned char bytes[W * 4] = {0, 51, 255, 102};
    cudaChannelFormatDesc f = cudaCreateChannelDesc<uchar4>(), s = cudaCreateChannelDesc<short>(),
                          i = cudaCreateChannelDesc<int>();
    cudaMallocArray(&a, &f, W, 1);
    cudaMemcpy2DToArray(a, 0, 0, bytes, W * 4, W * 4, 1, cudaMemcpyHostToDevice);
    fetch_bytes<<<1, 2>>>(
        texture_of(a, cudaFilterModeLinear, cudaAddressModeClamp, 0, cudaReadModeNormalizedFloat),
        (float4 *)memory());
    EXPECT(take()[1] == 0.2f && got[2] == 1 && got[3] == 0.4f);
    cudaTextureObject_t none;
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeArray, r.res.array.array = a;
    cudaTextureDesc d = {};
    d.filterMode = cudaFilterModeLinear;
    EXPECT(cudaCreateTextureObject(&none, &r, &d, nullptr) == cudaErrorInvalidFilterSetting);
    cudaGetLastError();

    /* a surface, transposed */
    short in[H][W], turned[W][H];
    for (int k = 0; k < N; k++)
        in[k / W][k % W] = (short)(k - 10);
    cudaMallocArray(&a, &s, W, H, cudaArraySurfaceLoadStore);
    cudaMallocArray(&b, &s, H, W, cudaArraySurfaceLoadStore);
    cudaMemcpy2DToArray(a, 0, 0, in, W * 2, W * 2, H, cudaMemcpyHostToDevice);
    cudaSurfaceObject_t from, to;
    r.res.array.array = a;
    EXPECT(cudaCreateSurfaceObject(&from, &r) == cudaSuccess);
    r.res.array.array = b;
    EXPECT(cudaCreateSurfaceObject(&to, &r) == cudaSuccess);
    turn<<<1, N>>>(from, to);
    cudaMemcpy2DFromArray(turned, H * 2, b, 0, 0, H * 2, W, cudaMemcpyDeviceToHost);
    for (int k = 0; k < N; k++)
        EXPECT(turned[k % W][k / W] == k - 10);

    /* three layers of 8 x 2 */
    int layer[3][2][W];
    for (int k = 0; k < 48; k++)
        ((int *)layer)[k] = k;
    cudaMalloc3DArray(&stack, &i, make_cudaExtent(W, 2, 3), cudaArrayLayered);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(layer, W * 4, W, 2), p.dstArray = stack;
    p.extent = make_cudaExtent(W, 2, 3), p.kind = cudaMemcpyHostToDevice;
    EXPECT(cudaMemcpy3D(&p) == cudaSuccess);
    layers<<<1, 3 * W>>>(texture_of(stack, cudaFilterModePoint, cudaAddressModeClamp, 0),
                         (int *)memory());
    take();
    EXPECT(((int *)got)[10] == 16 + 8 + 2 && ((int *)got)[23] == 47);
}

static void linear_memory()
{
    int pairs[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *p;
    cudaMalloc(&p, sizeof pairs);
    cudaMemcpy(p, pairs, sizeof pairs, cudaMemcpyHostToDevice);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear, r.res.linear.devPtr = p;
    r.res.linear.desc = cudaCreateChannelDesc<int2>(), r.res.linear.sizeInBytes = sizeof pairs;
    cudaTextureDesc d = {};
    cudaTextureObject_t t;
    EXPECT(cudaCreateTextureObject(&t, &r, &d, nullptr) == cudaSuccess);
    fetch_elements<<<1, 6>>>(t, (int *)memory());
    take();
    EXPECT(((int *)got)[0] == 0 && ((int *)got)[1] == 102 && ((int *)got)[4] == 708);
    EXPECT(((int *)got)[5] == 0);
}

int main()
{
    floats();
    whole_numbers();
    linear_memory();
    EXPECT(cudaDeviceSynchronize() == cudaSuccess);
    return failures != 0;
}
