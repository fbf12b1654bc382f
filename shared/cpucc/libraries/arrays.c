/* Implements arrays and mipmapped arrays, and copies to, from and between them and memory. */
#include <stdlib.h>
#include "textures.h"

/* ---- arrays ---- */

cudaError_t cudaMalloc3DArray(cudaArray_t *a, const cudaChannelFormatDesc *format,
                              cudaExtent extent, unsigned flags)
{
    cpucc_device_start();
    struct cudaArray *r = calloc(1, sizeof *r);
    if (!r)
        return cpucc_error(cudaErrorMemoryAllocation);
    *r = (struct cudaArray){*format,           extent.width, extent.height, extent.depth,
                            bytes_of(*format), flags,        NULL};
    size_t n = r->bytes * or_one(r->width) * or_one(r->height) * or_one(r->depth);
    cudaError_t e = cudaMalloc((void **)&r->data, n);
    if (e) {
        free(r);
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
    cudaError_t e = cudaFree(a->data);
    free(a);
    return e;
}
cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc *format, cudaExtent *extent, unsigned *flags,
                             cudaArray_t a)
{
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
    return *format = a->format, cudaSuccess;
}

cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *m, const cudaChannelFormatDesc *format,
                                     cudaExtent extent, unsigned levels, unsigned flags)
{
    struct cudaMipmappedArray *r = calloc(1, sizeof *r);
    if (!r || levels < 1 || levels > 16)
        return cpucc_error(cudaErrorInvalidValue);
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
    if (level >= m->levels)
        return cpucc_error(cudaErrorInvalidValue);
    return *a = m->level[level], cudaSuccess;
}
cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t m)
{
    for (unsigned i = 0; m && i < m->levels; i++)
        cudaFreeArray(m->level[i]);
    free(m);
    return cudaSuccess;
}

/* ---- copies ---- */

/* Checks that a rectangle lies in the array; x and width in bytes, y and height in rows. */
static cudaError_t array_rows(cudaArray_t a, size_t x, size_t y, size_t width, size_t height)
{
    size_t row = a->width * a->bytes;
    return x + width > row || y + height > or_one(a->height) ? cpucc_error(cudaErrorInvalidValue)
                                                             : cudaSuccess;
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t a, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, cudaMemcpyKind kind)
{
    size_t row = a->width * a->bytes;
    cudaError_t e = array_rows(a, x, y, width, height);
    return e ? e : cudaMemcpy2D(a->data + y * row + x, row, from, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t a, size_t x, size_t y, const void *from,
                                     size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                     cudaStream_t s)
{
    if (cpucc_capturing(s))
        return cpucc_unsupported("cudaMemcpy2DToArrayAsync in a graph");
    return cudaMemcpy2DToArray(a, x, y, from, pitch, width, height, kind);
}
cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t a, size_t x, size_t y,
                                  size_t width, size_t height, cudaMemcpyKind kind)
{
    size_t row = a->width * a->bytes;
    cudaError_t e = array_rows((cudaArray_t)a, x, y, width, height);
    return e ? e : cudaMemcpy2D(to, pitch, a->data + y * row + x, row, width, height, kind);
}
/* Copies n bytes, which may continue from row to row of the array. */
cudaError_t cudaMemcpyToArray(cudaArray_t a, size_t x, size_t y, const void *from, size_t n,
                              cudaMemcpyKind kind)
{
    return cudaMemcpy(a->data + y * a->width * a->bytes + x, from, n, kind);
}
cudaError_t cudaMemcpyToArrayAsync(cudaArray_t a, size_t x, size_t y, const void *from, size_t n,
                                   cudaMemcpyKind kind, cudaStream_t s)
{
    return (void)s, cudaMemcpyToArray(a, x, y, from, n, kind);
}
cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t a, size_t x, size_t y, size_t n,
                                cudaMemcpyKind kind)
{
    return cudaMemcpy(to, a->data + y * a->width * a->bytes + x, n, kind);
}

/* Widths are in elements if an end of the copy is an array, else in bytes. */
cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms *p)
{
    cudaArray_t from = p->srcArray, to = p->dstArray;
    size_t element = from ? from->bytes : to ? to->bytes : 1;
    size_t width = p->extent.width * element;
    size_t from_pitch = from ? from->width * from->bytes : p->srcPtr.pitch;
    size_t to_pitch = to ? to->width * to->bytes : p->dstPtr.pitch;
    size_t from_rows = from ? or_one(from->height) : p->srcPtr.ysize;
    size_t to_rows = to ? or_one(to->height) : p->dstPtr.ysize;
    const char *source = from ? from->data : p->srcPtr.ptr;
    char *target = to ? to->data : p->dstPtr.ptr;
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
    return cpucc_capturing(s) ? cpucc_capture->copy_3d(s, p) : cudaMemcpy3D(p);
}
