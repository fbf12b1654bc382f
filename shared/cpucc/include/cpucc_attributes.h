/*
 * Lists the device attributes of the run-time API: name, number, and the field of cudaDeviceProp
 * with the value (CUDA Runtime API documentation, cudaDeviceAttr). CPUCC_OTHER_ATTRIBUTES have the
 * value 0.
 */
#ifndef CPUCC_ATTRIBUTES_H
#define CPUCC_ATTRIBUTES_H

/* clang-format off */
#define CPUCC_ATTRIBUTES(X)                                                                        \
    X(cudaDevAttrMaxThreadsPerBlock, 1, maxThreadsPerBlock)                                        \
    X(cudaDevAttrMaxBlockDimX, 2, maxThreadsDim[0])                                                \
    X(cudaDevAttrMaxBlockDimY, 3, maxThreadsDim[1])                                                \
    X(cudaDevAttrMaxBlockDimZ, 4, maxThreadsDim[2])                                                \
    X(cudaDevAttrMaxGridDimX, 5, maxGridSize[0])                                                   \
    X(cudaDevAttrMaxGridDimY, 6, maxGridSize[1])                                                   \
    X(cudaDevAttrMaxGridDimZ, 7, maxGridSize[2])                                                   \
    X(cudaDevAttrMaxSharedMemoryPerBlock, 8, sharedMemPerBlock)                                    \
    X(cudaDevAttrTotalConstantMemory, 9, totalConstMem)                                            \
    X(cudaDevAttrWarpSize, 10, warpSize)                                                           \
    X(cudaDevAttrMaxPitch, 11, memPitch)                                                           \
    X(cudaDevAttrMaxRegistersPerBlock, 12, regsPerBlock)                                           \
    X(cudaDevAttrClockRate, 13, clockRate)                                                         \
    X(cudaDevAttrTextureAlignment, 14, textureAlignment)                                           \
    X(cudaDevAttrGpuOverlap, 15, deviceOverlap)                                                    \
    X(cudaDevAttrMultiProcessorCount, 16, multiProcessorCount)                                     \
    X(cudaDevAttrKernelExecTimeout, 17, kernelExecTimeoutEnabled)                                  \
    X(cudaDevAttrIntegrated, 18, integrated)                                                       \
    X(cudaDevAttrCanMapHostMemory, 19, canMapHostMemory)                                           \
    X(cudaDevAttrComputeMode, 20, computeMode)                                                     \
    X(cudaDevAttrMaxTexture1DWidth, 21, maxTexture1D)                                              \
    X(cudaDevAttrMaxTexture2DWidth, 22, maxTexture2D[0])                                           \
    X(cudaDevAttrMaxTexture2DHeight, 23, maxTexture2D[1])                                          \
    X(cudaDevAttrMaxTexture3DWidth, 24, maxTexture3D[0])                                           \
    X(cudaDevAttrMaxTexture3DHeight, 25, maxTexture3D[1])                                          \
    X(cudaDevAttrMaxTexture3DDepth, 26, maxTexture3D[2])                                           \
    X(cudaDevAttrMaxTexture2DLayeredWidth, 27, maxTexture2DLayered[0])                             \
    X(cudaDevAttrMaxTexture2DLayeredHeight, 28, maxTexture2DLayered[1])                            \
    X(cudaDevAttrMaxTexture2DLayeredLayers, 29, maxTexture2DLayered[2])                            \
    X(cudaDevAttrSurfaceAlignment, 30, surfaceAlignment)                                           \
    X(cudaDevAttrConcurrentKernels, 31, concurrentKernels)                                         \
    X(cudaDevAttrEccEnabled, 32, ECCEnabled)                                                       \
    X(cudaDevAttrPciBusId, 33, pciBusID)                                                           \
    X(cudaDevAttrPciDeviceId, 34, pciDeviceID)                                                     \
    X(cudaDevAttrTccDriver, 35, tccDriver)                                                         \
    X(cudaDevAttrMemoryClockRate, 36, memoryClockRate)                                             \
    X(cudaDevAttrGlobalMemoryBusWidth, 37, memoryBusWidth)                                         \
    X(cudaDevAttrL2CacheSize, 38, l2CacheSize)                                                     \
    X(cudaDevAttrMaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)                     \
    X(cudaDevAttrAsyncEngineCount, 40, asyncEngineCount)                                           \
    X(cudaDevAttrUnifiedAddressing, 41, unifiedAddressing)                                         \
    X(cudaDevAttrPciDomainId, 50, pciDomainID)                                                     \
    X(cudaDevAttrTexturePitchAlignment, 51, texturePitchAlignment)                                 \
    X(cudaDevAttrMaxTextureCubemapWidth, 52, maxTextureCubemap)                                    \
    X(cudaDevAttrMaxSurface1DWidth, 55, maxSurface1D)                                              \
    X(cudaDevAttrMaxSurface2DWidth, 56, maxSurface2D[0])                                           \
    X(cudaDevAttrMaxSurface2DHeight, 57, maxSurface2D[1])                                          \
    X(cudaDevAttrMaxTexture1DLinearWidth, 69, maxTexture1DLinear)                                  \
    X(cudaDevAttrMaxTexture2DLinearWidth, 70, maxTexture2DLinear[0])                               \
    X(cudaDevAttrMaxTexture2DLinearHeight, 71, maxTexture2DLinear[1])                              \
    X(cudaDevAttrMaxTexture2DLinearPitch, 72, maxTexture2DLinear[2])                               \
    X(cudaDevAttrComputeCapabilityMajor, 75, major)                                                \
    X(cudaDevAttrComputeCapabilityMinor, 76, minor)                                                \
    X(cudaDevAttrStreamPrioritiesSupported, 78, streamPrioritiesSupported)                         \
    X(cudaDevAttrGlobalL1CacheSupported, 79, globalL1CacheSupported)                               \
    X(cudaDevAttrLocalL1CacheSupported, 80, localL1CacheSupported)                                 \
    X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor)                 \
    X(cudaDevAttrMaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)                         \
    X(cudaDevAttrManagedMemory, 83, managedMemory)                                                 \
    X(cudaDevAttrIsMultiGpuBoard, 84, isMultiGpuBoard)                                             \
    X(cudaDevAttrHostNativeAtomicSupported, 86, hostNativeAtomicSupported)                         \
    X(cudaDevAttrSingleToDoublePrecisionPerfRatio, 87, singleToDoublePrecisionPerfRatio)           \
    X(cudaDevAttrPageableMemoryAccess, 88, pageableMemoryAccess)                                   \
    X(cudaDevAttrConcurrentManagedAccess, 89, concurrentManagedAccess)                             \
    X(cudaDevAttrComputePreemptionSupported, 90, computePreemptionSupported)                       \
    X(cudaDevAttrCanUseHostPointerForRegisteredMem, 91, canUseHostPointerForRegisteredMem)         \
    X(cudaDevAttrCooperativeLaunch, 95, cooperativeLaunch)                                         \
    X(cudaDevAttrCooperativeMultiDeviceLaunch, 96, cooperativeMultiDeviceLaunch)                   \
    X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)                         \
    X(cudaDevAttrHostRegisterSupported, 99, hostRegisterSupported)                                 \
    X(cudaDevAttrPageableMemoryAccessUsesHostPageTables, 100,                                      \
      pageableMemoryAccessUsesHostPageTables)                                                      \
    X(cudaDevAttrDirectManagedMemAccessFromHost, 101, directManagedMemAccessFromHost)              \
    X(cudaDevAttrMaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)                      \
    X(cudaDevAttrMaxPersistingL2CacheSize, 108, persistingL2CacheMaxSize)                          \
    X(cudaDevAttrMaxAccessPolicyWindowSize, 109, accessPolicyMaxWindowSize)                        \
    X(cudaDevAttrReservedSharedMemoryPerBlock, 111, reservedSharedMemPerBlock)                     \
    X(cudaDevAttrHostRegisterReadOnlySupported, 113, hostRegisterReadOnlySupported)                \
    X(cudaDevAttrMemoryPoolsSupported, 115, memoryPoolsSupported)                                  \
    X(cudaDevAttrClusterLaunch, 120, clusterLaunch)

#define CPUCC_OTHER_ATTRIBUTES(X)                                                                  \
    X(cudaDevAttrMaxTexture1DLayeredWidth, 42)                                                     \
    X(cudaDevAttrMaxTexture1DLayeredLayers, 43)                                                    \
    X(cudaDevAttrMaxTexture2DGatherWidth, 45)                                                      \
    X(cudaDevAttrMaxTexture2DGatherHeight, 46)                                                     \
    X(cudaDevAttrMaxTexture3DWidthAlt, 47)                                                         \
    X(cudaDevAttrMaxTexture3DHeightAlt, 48)                                                        \
    X(cudaDevAttrMaxTexture3DDepthAlt, 49)                                                         \
    X(cudaDevAttrMaxTextureCubemapLayeredWidth, 53)                                                \
    X(cudaDevAttrMaxTextureCubemapLayeredLayers, 54)                                               \
    X(cudaDevAttrMaxSurface3DWidth, 58)                                                            \
    X(cudaDevAttrMaxSurface3DHeight, 59)                                                           \
    X(cudaDevAttrMaxSurface3DDepth, 60)                                                            \
    X(cudaDevAttrMaxSurface1DLayeredWidth, 61)                                                     \
    X(cudaDevAttrMaxSurface1DLayeredLayers, 62)                                                    \
    X(cudaDevAttrMaxSurface2DLayeredWidth, 63)                                                     \
    X(cudaDevAttrMaxSurface2DLayeredHeight, 64)                                                    \
    X(cudaDevAttrMaxSurface2DLayeredLayers, 65)                                                    \
    X(cudaDevAttrMaxSurfaceCubemapWidth, 66)                                                       \
    X(cudaDevAttrMaxSurfaceCubemapLayeredWidth, 67)                                                \
    X(cudaDevAttrMaxSurfaceCubemapLayeredLayers, 68)                                               \
    X(cudaDevAttrMaxTexture2DMipmappedWidth, 73)                                                   \
    X(cudaDevAttrMaxTexture2DMipmappedHeight, 74)                                                  \
    X(cudaDevAttrMaxTexture1DMipmappedWidth, 77)                                                   \
    X(cudaDevAttrMultiGpuBoardGroupID, 85)                                                         \
    X(cudaDevAttrCanUseStreamMemOps, 93)                                                           \
    X(cudaDevAttrCanFlushRemoteWrites, 98)                                                         \
    X(cudaDevAttrSparseCudaArraySupported, 112)                                                    \
    X(cudaDevAttrTimelineSemaphoreInteropSupported, 114)                                           \
    X(cudaDevAttrGPUDirectRDMASupported, 116)                                                      \
    X(cudaDevAttrGPUDirectRDMAFlushWritesOptions, 117)                                             \
    X(cudaDevAttrGPUDirectRDMAWritesOrdering, 118)                                                 \
    X(cudaDevAttrMemoryPoolSupportedHandleTypes, 119)                                              \
    X(cudaDevAttrDeferredMappingCudaArraySupported, 121)                                           \
    X(cudaDevAttrIpcEventSupport, 125)                                                             \
    X(cudaDevAttrMemSyncDomainCount, 126)                                                          \
    X(cudaDevAttrNumaConfig, 130)                                                                  \
    X(cudaDevAttrNumaId, 131)                                                                      \
    X(cudaDevAttrMpsEnabled, 133)                                                                  \
    X(cudaDevAttrHostNumaId, 134)                                                                  \
    X(cudaDevAttrD3D12CigSupported, 135)                                                           \
    X(cudaDevAttrVulkanCigSupported, 138)                                                          \
    X(cudaDevAttrGpuPciDeviceId, 139)                                                              \
    X(cudaDevAttrGpuPciSubsystemId, 140)                                                           \
    X(cudaDevAttrHostNumaMemoryPoolsSupported, 142)                                                \
    X(cudaDevAttrHostNumaMultinodeIpcSupported, 143)                                               \
    X(cudaDevAttrHostMemoryPoolsSupported, 144)                                                    \
    X(cudaDevAttrOnlyPartialHostNativeAtomicSupported, 147)
/* clang-format on */

#endif
