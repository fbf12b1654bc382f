/*
 * Implements textures and surfaces of arrays and memory in one to three dimensions and in layers, with nearest
 * or linear filtering and all four address modes (CUDA C++ Programming Guide, "Texture Fetching").
 * Linear filtering rounds the fraction to 8 bits, as the device does. No counter includes textures
 * and surfaces. Only the end of linear memory and the edges of surfaces are checked.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "../core/float_formats.h"
#include "textures.h"

struct texture {
    cudaResourceDesc resource;
    cudaTextureDesc how;
    cudaChannelFormatDesc format;
    const char *data;
    size_t width, height, depth, pitch, bytes;
    struct cudaMipmappedArray *mipmap;
    struct cudaArray *array;
};

/* ---- texture and surface objects: a handle is the address of its record ---- */

static void use_array(struct texture *t, struct cudaArray *a)
{
    t->array = a, t->format = a->format, t->data = a->data, t->bytes = a->bytes;
    t->width = a->width, t->height = a->height, t->depth = a->depth;
    t->pitch = a->width * a->bytes;
}

static cudaError_t make(unsigned long long *object, const cudaResourceDesc *r,
                        const cudaTextureDesc *how)
{
    NEED(object && r);
    if (r->resType == cudaResourceTypeArray)
        NEED_HANDLE(ARRAY, r->res.array.array);
    if (r->resType == cudaResourceTypeMipmappedArray)
        NEED_HANDLE(MIPMAP, r->res.mipmap.mipmap);
    struct texture *t = cpucc_new_handle(TEXTURE, sizeof *t);
    t->resource = *r;
    if (how)
        t->how = *how;
    switch (r->resType) {
    case cudaResourceTypeArray: use_array(t, r->res.array.array); break;
    case cudaResourceTypeMipmappedArray:
        t->mipmap = r->res.mipmap.mipmap;
        use_array(t, t->mipmap->level[0]);
        break;
    case cudaResourceTypeLinear:
        t->data = r->res.linear.devPtr, t->format = r->res.linear.desc;
        t->bytes = bytes_of(t->format);
        t->width = r->res.linear.sizeInBytes / or_one(t->bytes);
        break;
    case cudaResourceTypePitch2D:
        t->data = r->res.pitch2D.devPtr, t->format = r->res.pitch2D.desc;
        t->bytes = bytes_of(t->format), t->pitch = r->res.pitch2D.pitchInBytes;
        t->width = r->res.pitch2D.width, t->height = r->res.pitch2D.height;
        break;
    }
    bool whole = t->format.f != cudaChannelFormatKindFloat;
    cudaError_t e = !t->data || !t->width   ? cudaErrorInvalidValue
                    : !is_format(t->format) ? cudaErrorInvalidChannelDescriptor
                    : whole && t->how.filterMode == cudaFilterModeLinear &&
                            t->how.readMode == cudaReadModeElementType
                        ? cudaErrorInvalidFilterSetting
                        : cudaSuccess;
    if (e) {
        cpucc_end_handle(t);
        return cpucc_error(e);
    }
    *object = (uintptr_t)t;
    return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object, const cudaResourceDesc *resource,
                                    const cudaTextureDesc *how, const cudaResourceViewDesc *view)
{
    NEED(how);
    return view ? cpucc_unsupported("cudaResourceViewDesc") : make(object, resource, how);
}
/* 0 is no object, which may be destroyed. */
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
    if (!object)
        return cudaSuccess;
    NEED_HANDLE(TEXTURE, (void *)(uintptr_t)object);
    return cpucc_end_handle((void *)(uintptr_t)object), cudaSuccess;
}
cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc *resource, cudaTextureObject_t object)
{
    NEED_HANDLE(TEXTURE, (void *)(uintptr_t)object);
    return GIVE(resource, ((struct texture *)(uintptr_t)object)->resource);
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const cudaResourceDesc *resource)
{
    NEED(resource && resource->resType == cudaResourceTypeArray);
    return make(object, resource, NULL);
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
    return cudaDestroyTextureObject(object);
}

/* ---- fetching ---- */

/* Ends the launch: the thread fetches what is not there. */
static void fault(const char *what, const char *address)
{
    END_LAUNCH(cudaErrorIllegalAddress, cpucc_current, DEVICE_CALL_PC, OUT_OF_BOUNDS, "%s%s", what,
               address);
}

/* Returns the record of a texture or surface object, whose array is live. */
static const struct texture *record(unsigned long long object)
{
    const struct texture *t = (const struct texture *)(uintptr_t)object;
    char number[32];
    snprintf(number, sizeof number, "%#llx", object);
    if (!cpucc_is_live(t, TEXTURE))
        fault("no texture or surface object, or a destroyed one: ", number);
    if ((t->array && !cpucc_is_live(t->array, ARRAY)) ||
        (t->mipmap && !cpucc_is_live(t->mipmap, MIPMAP)))
        fault("the array of a texture or surface object is freed", "");
    return t;
}

union channel {
    float f;
    int32_t i;
    uint32_t u;
};

/* Returns a channel of `bits` bits at p. With cudaReadModeNormalizedFloat an integer channel
 * becomes a float in [0, 1], or [-1, 1] if signed. */
static union channel read_channel(const struct texture *t, const char *p, int bits)
{
    union channel c = {.u = 0};
    uint32_t u = 0;
    memcpy(&u, p, (size_t)bits / 8);
    if (t->format.f == cudaChannelFormatKindFloat) {
        if (bits == 16)
            c.f = cpucc_half_to_float((uint16_t)u);
        else
            c.u = u;
        return c;
    }
    if (t->format.f == cudaChannelFormatKindSigned)
        c.i = bits == 8 ? (int8_t)u : bits == 16 ? (int16_t)u : (int32_t)u;
    else
        c.u = u;
    if (t->how.readMode == cudaReadModeNormalizedFloat && bits < 32) {
        float top =
            (float)((1u << (t->format.f == cudaChannelFormatKindSigned ? bits - 1 : bits)) - 1);
        float v = (t->format.f == cudaChannelFormatKindSigned ? (float)c.i : (float)c.u) / top;
        c.f = v < -1 ? -1 : v;
    }
    return c;
}

/* Returns the index that the address mode maps i to; -1 for the border's colour. */
static long inside(long i, size_t size, cudaTextureAddressMode mode, bool normalized)
{
    long n = (long)size;
    if (i >= 0 && i < n)
        return i;
    if (!normalized &&
        mode != cudaAddressModeBorder) /* wrap and mirror need normalized coordinates */
        mode = cudaAddressModeClamp;
    switch (mode) {
    case cudaAddressModeWrap: return (i % n + n) % n;
    case cudaAddressModeMirror: {
        long m = (i % (2 * n) + 2 * n) % (2 * n);
        return m < n ? m : 2 * n - 1 - m;
    }
    case cudaAddressModeBorder: return -1;
    default: return i < 0 ? 0 : n - 1;
    }
}

/* Sets out to the four channels of the texel at x, y, z. */
static void texel(const struct texture *t, const long at[3], union channel out[4])
{
    size_t size[3] = {t->width, or_one(t->height), or_one(t->depth)};
    long i[3];
    for (int d = 0; d < 3; d++) {
        i[d] = inside(at[d], size[d], t->how.addressMode[d], t->how.normalizedCoords);
        if (i[d] < 0) {
            for (int c = 0; c < 4; c++)
                out[c].f = t->how.borderColor[c];
            return;
        }
    }
    const char *p =
        t->data + ((size_t)i[2] * size[1] + (size_t)i[1]) * t->pitch + (size_t)i[0] * t->bytes;
    if (!t->array && !cpucc_all_allocated((uintptr_t)p, t->bytes))
        fault("a texture reads ", cpucc_describe_address((uintptr_t)p));
    const int bits[4] = {t->format.x, t->format.y, t->format.z, t->format.w};
    for (int c = 0; c < 4; c++) {
        out[c] = bits[c] ? read_channel(t, p, bits[c]) : (union channel){.u = 0};
        p += bits[c] / 8;
    }
}

/* Sets out to the texels around `at`, filtered linearly in the first `dimensions` coordinates. The
 * other coordinates select a texel. */
static void filtered(const struct texture *t, const float at[3], int dimensions,
                     union channel out[4])
{
    long base[3] = {0, 0, 0};
    float part[3] = {0, 0, 0}, sum[4] = {0, 0, 0, 0};
    for (int d = 0; d < 3; d++) {
        base[d] = (long)floorf(at[d]);
        if (d >= dimensions)
            continue;
        float x = at[d] - 0.5f;
        base[d] = (long)floorf(x);
        part[d] = floorf((x - floorf(x)) * 256 + 0.5f) / 256;
    }
    for (int corner = 0; corner < 1 << dimensions; corner++) {
        union channel c[4];
        float weight = 1;
        long i[3] = {base[0], base[1], base[2]};
        for (int d = 0; d < dimensions; d++) {
            i[d] += corner >> d & 1;
            weight *= corner >> d & 1 ? part[d] : 1 - part[d];
        }
        if (weight == 0)
            continue;
        texel(t, i, c);
        for (int k = 0; k < 4; k++)
            sum[k] += weight * c[k].f;
    }
    for (int k = 0; k < 4; k++)
        out[k].f = sum[k];
}

/* Sets at[] to the coordinates x, y, z in texels, in as many dimensions. */
static void scale(const struct texture *t, int dimensions, const float from[3], float at[3])
{
    const size_t size[3] = {t->width, or_one(t->height), or_one(t->depth)};
    for (int d = 0; d < 3; d++)
        at[d] = d < dimensions ? from[d] : 0;
    for (int d = 0; d < dimensions && t->how.normalizedCoords; d++) {
        /* Wrap and mirror before scaling, so that large coordinates keep their fraction. */
        if (t->how.addressMode[d] == cudaAddressModeWrap)
            at[d] -= floorf(at[d]);
        at[d] *= (float)size[d];
    }
}

/* Fetches the four channels at x, y, z of an array to c. `layer`: a layered array's slice, -1 if there
 * are none. */
static void fetch_array(const struct texture *t, int dimensions, float x, float y, float z,
                        int layer, union channel c[4])
{
    float at[3];
    scale(t, dimensions, (const float[]){x, y, z}, at);
    if (layer >= 0)
        at[dimensions] = (float)layer;
    if (t->how.filterMode == cudaFilterModeLinear) {
        filtered(t, at, dimensions, c);
    } else {
        const long i[3] = {(long)floorf(at[0]), (long)floorf(at[1]), (long)floorf(at[2])};
        texel(t, i, c);
    }
}

/* Fetches from a mipmap. A linear filter mixes two levels by a fraction of 8 bits. */
static void fetch_mipmap(const struct texture *t, int dimensions, float x, float y, float z,
                         int layer, float level, union channel c[4])
{
    struct texture of_level = *t;
    union channel next[4];
    bool linear = t->how.mipmapFilterMode == cudaFilterModeLinear;
    float most = (float)(t->mipmap->levels - 1), l = level + t->how.mipmapLevelBias;
    l = l < t->how.minMipmapLevelClamp ? t->how.minMipmapLevelClamp : l;
    l = l > t->how.maxMipmapLevelClamp ? t->how.maxMipmapLevelClamp : l;
    l = l > most ? most : l > 0 ? l : 0;
    unsigned n = (unsigned)(linear ? l : l + 0.5f);
    float mix = linear ? floorf((l - (float)n) * 256 + 0.5f) / 256 : 0;
    use_array(&of_level, t->mipmap->level[n]);
    fetch_array(&of_level, dimensions, x, y, z, layer, c);
    if (mix <= 0)
        return;
    use_array(&of_level, t->mipmap->level[n + 1]);
    fetch_array(&of_level, dimensions, x, y, z, layer, next);
    for (int k = 0; k < 4; k++)
        c[k].f += mix * (next[k].f - c[k].f);
}

/* Fetches the four channels at x, y, z to out; `level`: of a mipmap. */
static void fetch(const struct texture *t, int dimensions, float x, float y, float z, int layer,
                  float level, uint32_t *out)
{
    union channel c[4];
    if (t->mipmap)
        fetch_mipmap(t, dimensions, x, y, z, layer, level, c);
    else
        fetch_array(t, dimensions, x, y, z, layer, c);
    memcpy(out, c, sizeof c);
}

/* fetch() for the functions of cpucc_texture.h. */
void cpucc_texture(cudaTextureObject_t object, int dimensions, float x, float y, float z, int layer,
                   float level, uint32_t *out)
{
    fetch(record(object), dimensions, x, y, z, layer, level, out);
}

/* tex2Dgather: one component of the four texels that a linear filter would mix, from the lower left one
 * counterclockwise as y grows downwards (CUDA C++ Programming Guide, "Texture Gather"). */
void cpucc_texture_gather(cudaTextureObject_t object, float x, float y, int component,
                          uint32_t *out)
{
    static const int right[4] = {0, 1, 1, 0}, down[4] = {1, 1, 0, 0};
    const struct texture *t = record(object);
    float at[3];
    scale(t, 2, (const float[]){x, y, 0}, at);
    long column = (long)floorf(at[0] - 0.5f), row = (long)floorf(at[1] - 0.5f);
    for (int i = 0; i < 4; i++) {
        union channel c[4];
        texel(t, (const long[]){column + right[i], row + down[i], 0}, c);
        memcpy(&out[i], &c[component & 3], sizeof *out);
    }
}

/* Fetches from the face of the cube that the direction x, y, z hits (CUDA C++ Programming Guide,
 * "Cubemap Textures"). */
void cpucc_texture_cube(cudaTextureObject_t object, float x, float y, float z, int layer,
                        uint32_t *out)
{
    const struct texture *t = record(object);
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, s, v;
    int face;
    if (ax >= ay && ax >= az)
        face = x < 0, m = ax, s = x < 0 ? z : -z, v = -y;
    else if (ay >= az)
        face = 2 + (y < 0), m = ay, s = x, v = y < 0 ? -z : z;
    else
        face = 4 + (z < 0), m = az, s = z < 0 ? -x : x, v = -y;
    struct texture flat = *t;
    flat.how.normalizedCoords = 1;
    flat.how.addressMode[0] = flat.how.addressMode[1] = cudaAddressModeClamp;
    fetch(&flat, 2, (s / m + 1) / 2, (v / m + 1) / 2, 0, face + (layer > 0 ? 6 * layer : 0), 0,
          out);
}

/* tex1Dfetch: fetches element i of linear memory; 0 if i is not an index of the texture. */
void cpucc_texture_element(cudaTextureObject_t object, int i, uint32_t *out)
{
    const struct texture *t = record(object);
    union channel c[4] = {{.u = 0}, {.u = 0}, {.u = 0}, {.u = 0}};
    if (i >= 0 && (size_t)i < t->width)
        texel(t, (const long[]){i, 0, 0}, c);
    memcpy(out, c, sizeof c);
}

/* ---- surfaces: x counts bytes ---- */

void cpucc_surface(cudaSurfaceObject_t object, long x, long y, long z, void *data, size_t bytes,
                   int mode, int write)
{
    const struct texture *t = record(object);
    size_t row = t->width * t->bytes, rows = or_one(t->height), slices = or_one(t->depth);
    bool outside = x < 0 || (size_t)x + bytes > row || y < 0 || (size_t)y >= rows || z < 0 ||
                   (size_t)z >= slices;
    if (!write)
        memset(data, 0, bytes);
    if ((size_t)x % (t->bytes < bytes ? t->bytes : bytes) ||
        (outside && mode == cudaBoundaryModeTrap))
        END_LAUNCH(cudaErrorIllegalAddress, cpucc_current, DEVICE_CALL_PC, OUT_OF_BOUNDS,
                   "a surface of %zu x %zu x %zu elements of %zu bytes: byte %ld of row %ld, "
                   "slice %ld",
                   t->width, rows, slices, t->bytes, x, y, z);
    if (outside) {
        if (mode == cudaBoundaryModeZero)
            return;
        x = x < 0 ? 0 : (size_t)x + bytes > row ? (long)(row - bytes) : x;
        y = y < 0 ? 0 : (size_t)y >= rows ? (long)rows - 1 : y;
        z = z < 0 ? 0 : (size_t)z >= slices ? (long)slices - 1 : z;
    }
    char *p = (char *)t->data + ((size_t)z * rows + (size_t)y) * t->pitch + (size_t)x;
    if (write) {
        memcpy(p, data, bytes);
        cpucc_mark_written((uintptr_t)p, bytes);
    } else
        memcpy(data, p, bytes);
}
