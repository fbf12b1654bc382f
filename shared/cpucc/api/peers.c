/* Implements the run-time API's functions for several devices: access to each other's memory, copies. */
#include "api.h"

/* Keeps and returns an error unless both are devices. */
static cudaError_t are_devices(int a, int b)
{
    cudaError_t e = cpucc_is_device(a);
    return e ? e : cpucc_is_device(b);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
    NEED(can);
    cudaError_t e = are_devices(device, peer);
    *can = !e && device != peer;
    return e;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
    int device = cpucc_active_device;
    if (flags)
        return cpucc_error(cudaErrorInvalidValue);
    if (peer == device)
        return cpucc_error(cudaErrorInvalidDevice);
    cudaError_t e = cpucc_is_device(peer);
    if (e)
        return e;
    if (cpucc_peer_enabled(device, peer))
        return cpucc_error(cudaErrorPeerAccessAlreadyEnabled);
    cpucc_enable_peer(device, peer, true);
    return cudaSuccess;
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    cudaError_t e = cpucc_is_device(peer);
    if (e)
        return e;
    if (!cpucc_peer_enabled(cpucc_active_device, peer))
        return cpucc_error(cudaErrorPeerAccessNotEnabled);
    cpucc_enable_peer(cpucc_active_device, peer, false);
    return cudaSuccess;
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr attribute, int from, int to)
{
    NEED(value);
    cudaError_t e = are_devices(from, to);
    if (e || from == to)
        return cpucc_error(cudaErrorInvalidDevice);
    if (attribute < cudaDevP2PAttrPerformanceRank ||
        attribute > cudaDevP2PAttrCudaArrayAccessSupported)
        return cpucc_error(cudaErrorInvalidValue);
    *value = attribute != cudaDevP2PAttrPerformanceRank; /* all pairs are equally near */
    return cudaSuccess;
}

/* Whether the memory belongs to the device, or to none. */
static bool belongs(const void *p, int device)
{
    int owner = cpucc_owner((uintptr_t)p);
    return owner < 0 || owner == device;
}

cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                size_t n, cudaStream_t s)
{
    cudaError_t e = are_devices(to_device, from_device);
    if (e)
        return e;
    if (!belongs(to, to_device) || !belongs(from, from_device))
        return cpucc_error(cudaErrorInvalidValue);
    return cudaMemcpyAsync(to, from, n, cudaMemcpyDefault, s);
}

/* A copy in the default stream between two devices comes after all earlier work of both, and before
 * all later work (CUDA Programming Guide, "Peer-to-Peer Memory Copy"). */
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t n)
{
    return cudaMemcpyPeerAsync(to, to_device, from, from_device, n, NULL);
}
