/*
 * Declares texture and surface fetches; runtime_texture.c implements them. A fetch returns four
 * channels of 32 bits; the type T uses as many as it has. A surface's x coordinate is in
 * bytes.
 */
#ifndef CPUCC_TEXTURE_H
#define CPUCC_TEXTURE_H

extern "C" {
void cpucc_texture(cudaTextureObject_t, int __dimensions, float x, float y, float z, int layer,
                   float level, uint32_t *__out);
void cpucc_texture_cube(cudaTextureObject_t, float x, float y, float z, int layer, uint32_t *__out);
void cpucc_texture_gather(cudaTextureObject_t, float x, float y, int __component, uint32_t *__out);
void cpucc_texture_element(cudaTextureObject_t, int __i, uint32_t *__out);
void cpucc_surface(cudaSurfaceObject_t, long x, long y, long z, void *data, size_t bytes, int mode,
                   int write);
}

/* The number and kind of a type's channels. */
template <class T>
struct cpucc_texel {
    typedef T __channel;
    enum { count = 1 };
};
#define CPUCC_TEXEL(_V, T)                                                                         \
    template <>                                                                                    \
    struct cpucc_texel<_V##1> {                                                                    \
        typedef T __channel;                                                                       \
        enum { count = 1 };                                                                        \
    };                                                                                             \
    template <>                                                                                    \
    struct cpucc_texel<_V##2> {                                                                    \
        typedef T __channel;                                                                       \
        enum { count = 2 };                                                                        \
    };                                                                                             \
    template <>                                                                                    \
    struct cpucc_texel<_V##4> {                                                                    \
        typedef T __channel;                                                                       \
        enum { count = 4 };                                                                        \
    };
CPUCC_TEXEL(char, signed char)
CPUCC_TEXEL(uchar, unsigned char)
CPUCC_TEXEL(short, short)
CPUCC_TEXEL(ushort, unsigned short)
CPUCC_TEXEL(int, int)
CPUCC_TEXEL(uint, unsigned)
CPUCC_TEXEL(float, float)

CPUCC_FN void cpucc_from_channel(float &to, uint32_t __bits) { __builtin_memcpy(&to, &__bits, 4); }
template <class _C>
CPUCC_FN void cpucc_from_channel(_C &to, uint32_t __bits)
{
    to = (_C)__bits;
}
template <class T>
CPUCC_FN T cpucc_texel_of(const uint32_t *__out)
{
    T t;
    typename cpucc_texel<T>::__channel c[cpucc_texel<T>::count];
    for (int __i = 0; __i < cpucc_texel<T>::count; __i++)
        cpucc_from_channel(c[__i], __out[__i]);
    static_assert(sizeof t == sizeof c, "cpucc: no type of a texture");
    __builtin_memcpy(&t, c, sizeof t);
    return t;
}

/* Defines a fetch in two forms: returning the value, or storing it through a pointer. */
#define CPUCC_FETCH(name, parameters, __arguments, call)                                           \
    template <class T>                                                                             \
    CPUCC_FN T name(cudaTextureObject_t t, CPUCC_LIST parameters)                                  \
    {                                                                                              \
        uint32_t __out[4];                                                                         \
        call;                                                                                      \
        return cpucc_texel_of<T>(__out);                                                           \
    }                                                                                              \
    template <class T>                                                                             \
    CPUCC_FN void name(T *to, cudaTextureObject_t t, CPUCC_LIST parameters)                        \
    {                                                                                              \
        *to = name<T>(t, CPUCC_LIST __arguments);                                                  \
    }
#define CPUCC_LIST(...) __VA_ARGS__
CPUCC_FETCH(tex1Dfetch, (int x), (x), cpucc_texture_element(t, x, __out))
CPUCC_FETCH(tex1D, (float x), (x), cpucc_texture(t, 1, x, 0, 0, -1, 0, __out))
CPUCC_FETCH(tex2D, (float x, float y), (x, y), cpucc_texture(t, 2, x, y, 0, -1, 0, __out))
CPUCC_FETCH(tex2Dgather, (float x, float y, int __component = 0), (x, y, __component),
            cpucc_texture_gather(t, x, y, __component, __out))
CPUCC_FETCH(tex3D, (float x, float y, float z), (x, y, z),
            cpucc_texture(t, 3, x, y, z, -1, 0, __out))
CPUCC_FETCH(tex1DLod, (float x, float level), (x, level),
            cpucc_texture(t, 1, x, 0, 0, -1, level, __out))
CPUCC_FETCH(tex2DLod, (float x, float y, float level), (x, y, level),
            cpucc_texture(t, 2, x, y, 0, -1, level, __out))
CPUCC_FETCH(tex3DLod, (float x, float y, float z, float level), (x, y, z, level),
            cpucc_texture(t, 3, x, y, z, -1, level, __out))
CPUCC_FETCH(tex1DLayered, (float x, int layer), (x, layer),
            cpucc_texture(t, 1, x, 0, 0, layer, 0, __out))
CPUCC_FETCH(tex2DLayered, (float x, float y, int layer), (x, y, layer),
            cpucc_texture(t, 2, x, y, 0, layer, 0, __out))
CPUCC_FETCH(texCubemap, (float x, float y, float z), (x, y, z),
            cpucc_texture_cube(t, x, y, z, 0, __out))
CPUCC_FETCH(texCubemapLayered, (float x, float y, float z, int layer), (x, y, z, layer),
            cpucc_texture_cube(t, x, y, z, layer, __out))

#define CPUCC_SURFACE(name, parameters, __arguments, X, Y, Z)                                      \
    template <class T>                                                                             \
    CPUCC_FN T name##read(cudaSurfaceObject_t s, CPUCC_LIST parameters,                            \
                          cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                     \
    {                                                                                              \
        T value;                                                                                   \
        cpucc_surface(s, X, Y, Z, &value, sizeof value, mode, 0);                                  \
        return value;                                                                              \
    }                                                                                              \
    template <class T>                                                                             \
    CPUCC_FN void name##read(T *to, cudaSurfaceObject_t s, CPUCC_LIST parameters,                  \
                             cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                  \
    {                                                                                              \
        *to = name##read<T>(s, CPUCC_LIST __arguments, mode);                                      \
    }                                                                                              \
    template <class T>                                                                             \
    CPUCC_FN void name##write(T value, cudaSurfaceObject_t s, CPUCC_LIST parameters,               \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)                 \
    {                                                                                              \
        cpucc_surface(s, X, Y, Z, &value, sizeof value, mode, 1);                                  \
    }
CPUCC_SURFACE(surf1D, (int x), (x), x, 0, 0)
CPUCC_SURFACE(surf2D, (int x, int y), (x, y), x, y, 0)
CPUCC_SURFACE(surf3D, (int x, int y, int z), (x, y, z), x, y, z)
CPUCC_SURFACE(surf1DLayered, (int x, int layer), (x, layer), x, layer, 0)
CPUCC_SURFACE(surf2DLayered, (int x, int y, int layer), (x, y, layer), x, y, layer)
#undef CPUCC_FETCH
#undef CPUCC_SURFACE

#endif
