/* Channels of textures: cudaCreateChannelDesc. Part of cpucc_host.h. */
#ifndef CPUCC_CHANNEL_DESCRIPTOR_H
#define CPUCC_CHANNEL_DESCRIPTOR_H
#include "cuda_runtime.h"

static inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                          cudaChannelFormatKind kind)
{
    return cpucc_channels(x, y, z, w, kind);
}
template <class T>
struct cpucc_channel;
#define CPUCC_CHANNEL(T, __bits, kind)                                                             \
    template <>                                                                                    \
    struct cpucc_channel<T> {                                                                      \
        static cudaChannelFormatDesc __make(int n)                                                 \
        {                                                                                          \
            return {__bits, n > 1 ? __bits : 0, n > 2 ? __bits : 0, n > 3 ? __bits : 0, kind};     \
        }                                                                                          \
    };
CPUCC_CHANNEL(char, 8, cudaChannelFormatKindSigned)
CPUCC_CHANNEL(signed char, 8, cudaChannelFormatKindSigned)
CPUCC_CHANNEL(unsigned char, 8, cudaChannelFormatKindUnsigned)
CPUCC_CHANNEL(short, 16, cudaChannelFormatKindSigned)
CPUCC_CHANNEL(unsigned short, 16, cudaChannelFormatKindUnsigned)
CPUCC_CHANNEL(int, 32, cudaChannelFormatKindSigned)
CPUCC_CHANNEL(unsigned, 32, cudaChannelFormatKindUnsigned)
CPUCC_CHANNEL(float, 32, cudaChannelFormatKindFloat)
/* A vector's channels are its members. */
template <class T>
auto cpucc_channels(int) -> decltype((void)T().x, cudaChannelFormatDesc())
{
    return cpucc_channel<decltype(T().x)>::__make(sizeof(T) / sizeof T().x);
}
template <class T>
cudaChannelFormatDesc cpucc_channels(long)
{
    return cpucc_channel<T>::__make(1);
}
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc()
{
    return cpucc_channels<T>(0);
}

#endif
