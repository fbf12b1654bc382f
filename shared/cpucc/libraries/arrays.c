/* Implements arrays and mipmapped arrays, and copies to, from and between them and memory. */
#include <stdlib.h>
#include "textures.h"

/* ---- arrays ---- */

cudaError_t cudaMalloc3DArray(cudaArray_t *a, const cudaChannelFormatDesc *format,
                              cudaExtent extent, unsigned flags)
{
    NEED(a && format && extent.width);
    if (!is_format(*format))
        return cpucc_error(cudaErrorInvalidChannelDescriptor);
    cpucc_device_start();
    struct cudaArray *r = cpucc_new_handle(ARRAY, sizeof *r);
    *r = (struct cudaArray){*format,           extent.width, extent.height, extent.depth,
                            bytes_of(*format), flags,        NULL};
    size_t n =
        cpucc_product(cpucc_product(r->bytes, r->width, 1), or_one(r->height), or_one(r->depth));
    cudaError_t e = cudaMalloc((void **)&r->data, n);
    if (e) {
        cpucc_end_handle(r);
        return e;
    }
    *a = r;
    return cudaSuccess;
}
cudaError_t cudaMallocArray(cudaArray_t *a, const cudaChannelFormatDesc *format, size_t width,
                            size_t height, unsigned flags)
{
    return cudaMalloc3DArray(a, format, (cudaExtent){width, height, 0}, flags);
}
cudaError_t cudaFreeArray(cudaArray_t a)
{
    if (!a)
        return cudaSuccess;
    NEED_HANDLE(ARRAY, a);
    cudaError_t e = cudaFree(a->data);
    return cpucc_end_handle(a), e;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags,
                             cudaArray_t a)
{
    NEED_HANDLE(ARRAY, a);
    if (format)
        *format = a->format;
    if (extent)
        *extent = (cudaExtent){a->width, a->height, a->depth};
    if (flags)
        *flags = a->flags;
    return cudaSuccess;
}
cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc *format, cudaArray_const_t a)
{
    NEED_HANDLE(ARRAY, a);
    return GIVE(format, a->format);
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *m, const cudaChannelFormatDesc *format,
                                     cudaExtent extent, unsigned levels, unsigned flags)
{
    NEED(m && levels >= 1 && levels <= 16);
    struct cudaMipmappedArray *r = cpucc_new_handle(MIPMAP, sizeof *r);
    r->levels = levels;
    for (unsigned i = 0; i < levels; i++) {
        cudaError_t e = cudaMalloc3DArray(&r->level[i], format, extent, flags);
        if (e)
            return e;
        extent.width = extent.width > 1 ? extent.width / 2 : extent.width;
        extent.height = extent.height > 1 ? extent.height / 2 : extent.height;
        extent.depth = extent.depth > 1 ? extent.depth / 2 : extent.depth;
    }
    *m = r;
    return cudaSuccess;
}
cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *a, cudaMipmappedArray_const_t m, unsigned level)
{
    NEED_HANDLE(MIPMAP, m);
    NEED(level < m->levels);
    return GIVE(a, m->level[level]);
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t m)
{
    if (!m)
        return cudaSuccess;
    NEED_HANDLE(MIPMAP, m);
    for (unsigned i = 0; i < m->levels; i++)
        cudaFreeArray(m->level[i]);
    return cpucc_end_handle(m), cudaSuccess;
}

/* ---- copies ---- */

/* Checks that a rectangle lies in a live array; x and width in bytes, y and height in rows. */
static cudaError_t array_rows(cudaArray_const_t a, size_t x, size_t y, size_t width, size_t height)
{
    NEED_HANDLE(ARRAY, a);
    size_t row = a->width * a->bytes, rows = or_one(a->height);
    NEED(x <= row && width <= row - x && y <= rows && height <= rows - y);
    return cudaSuccess;
}

/* Sets *at to byte x of row y, from which n bytes lie in a live array, row after row. */
static cudaError_t array_bytes(cudaArray_const_t a, size_t x, size_t y, size_t n, char **at)
{
    cudaError_t e = array_rows(a, x, y, 0, 0);
    if (e)
        return e;
    size_t row = a->width * a->bytes, from = y * row + x;
    NEED(n <= row * or_one(a->height) - from);
    return *at = a->data + from, cudaSuccess;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t a, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind)
{
    cudaError_t e = array_rows(a, x, y, width, height);
    if (e)
        return e;
    size_t row = a->width * a->bytes;
    return cudaMemcpy2D(a->data + y * row + x, row, from, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t a, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t s)
{
    NEED_STREAM(s);
    if (cpucc_capturing(s))
        return cpucc_unsupported("cudaMemcpy2DToArrayAsync in a graph");
    return cudaMemcpy2DToArray(a, x, y, from, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t a, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind)
{
    cudaError_t e = array_rows(a, x, y, width, height);
    if (e)
        return e;
    size_t row = a->width * a->bytes;
    return cudaMemcpy2D(to, pitch, a->data + y * row + x, row, width, height, kind);
}
cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t x, size_t y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     cudaMemcpyKind kind)
{
    cudaError_t e = array_rows(from, from_x, from_y, width, height);
    size_t row = e ? 0 : from->width * from->bytes;
    return e ? e
             : cudaMemcpy2DToArray(to, x, y, from->data + from_y * row + from_x, row, width, height,
                                   kind);
}
/* Copies n bytes, which may continue from row to row of the array. */
cudaError_t cudaMemcpyToArray(cudaArray_t a, size_t x, size_t y, const void *from, size_t n,
                              cudaMemcpyKind kind)
{
    char *at;
    cudaError_t e = array_bytes(a, x, y, n, &at);
    return e ? e : cudaMemcpy(at, from, n, kind);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t a, size_t x, size_t y, const void *from, size_t n,
                                   cudaMemcpyKind kind, cudaStream_t s)
{
    NEED_STREAM(s);
    return cudaMemcpyToArray(a, x, y, from, n, kind);
}
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t a, size_t x, size_t y, size_t n,
                                cudaMemcpyKind kind)
{
    char *at;
    cudaError_t e = array_bytes(a, x, y, n, &at);
    return e ? e : cudaMemcpy(to, at, n, kind);
}

/* Widths are in elements if an end of the copy is an array, else in bytes. */
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p)
{
    NEED(p);
    cudaArray_t from = p->srcArray, to = p->dstArray;
    if (from)
        NEED_HANDLE(ARRAY, from);
    if (to)
        NEED_HANDLE(ARRAY, to);
    NEED((from || p->srcPtr.ptr) && (to || p->dstPtr.ptr));
    if (!p->extent.width || !p->extent.height)
        return cudaSuccess;
    size_t element = from ? from->bytes : to ? to->bytes : 1;
    size_t width = p->extent.width * element;
    size_t from_pitch = from ? from->width * from->bytes : p->srcPtr.pitch;
    size_t to_pitch = to ? to->width * to->bytes : p->dstPtr.pitch;
    size_t from_rows = from ? or_one(from->height) : p->srcPtr.ysize;
    size_t to_rows = to ? or_one(to->height) : p->dstPtr.ysize;
    const char *source = from ? from->data : p->srcPtr.ptr;
    char *target = to ? to->data : p->dstPtr.ptr;
    NEED(p->extent.depth <= 1 || (from_rows >= p->extent.height && to_rows >= p->extent.height));
    source += (p->srcPos.z * from_rows + p->srcPos.y) * from_pitch +
              p->srcPos.x * (from ? from->bytes : 1);
    target += (p->dstPos.z * to_rows + p->dstPos.y) * to_pitch + p->dstPos.x * (to ? to->bytes : 1);
    cudaError_t e = cudaSuccess;
    for (size_t z = 0; z < p->extent.depth && !e; z++)
        e = cudaMemcpy2D(target + z * to_rows * to_pitch, to_pitch,
                         source + z * from_rows * from_pitch, from_pitch, width, p->extent.height,
                         p->kind);
    return e;
}

cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms *p, cudaStream_t s)
{
    NEED_STREAM(s);
    NEED(p);
    if (!cpucc_capturing(s))
        return cudaMemcpy3D(p);
    return cpucc_capture(s, &(struct node_work){.type = cudaGraphNodeTypeMemcpy,
                                                .three_dimensions = true,
                                                .copy_3d = *p});
}
