/*
 * Lists the device attributes of the run-time API: name, number, and the field of cudaDeviceProp
 * with the value (CUDA Runtime API documentation, cudaDeviceAttr). CPUCC_OTHER_ATTRIBUTES have the
 * value 0.
 */
#ifndef CPUCC_ATTRIBUTES_H
#define CPUCC_ATTRIBUTES_H

/* clang-format off */
#define CPUCC_ATTRIBUTES(CPUCC_X)                                                                        \
    CPUCC_X(cudaDevAttrMaxThreadsPerBlock, 1, maxThreadsPerBlock)                                        \
    CPUCC_X(cudaDevAttrMaxBlockDimX, 2, maxThreadsDim[0])                                                \
    CPUCC_X(cudaDevAttrMaxBlockDimY, 3, maxThreadsDim[1])                                                \
    CPUCC_X(cudaDevAttrMaxBlockDimZ, 4, maxThreadsDim[2])                                                \
    CPUCC_X(cudaDevAttrMaxGridDimX, 5, maxGridSize[0])                                                   \
    CPUCC_X(cudaDevAttrMaxGridDimY, 6, maxGridSize[1])                                                   \
    CPUCC_X(cudaDevAttrMaxGridDimZ, 7, maxGridSize[2])                                                   \
    CPUCC_X(cudaDevAttrMaxSharedMemoryPerBlock, 8, sharedMemPerBlock)                                    \
    CPUCC_X(cudaDevAttrTotalConstantMemory, 9, totalConstMem)                                            \
    CPUCC_X(cudaDevAttrWarpSize, 10, warpSize)                                                           \
    CPUCC_X(cudaDevAttrMaxPitch, 11, memPitch)                                                           \
    CPUCC_X(cudaDevAttrMaxRegistersPerBlock, 12, regsPerBlock)                                           \
    CPUCC_X(cudaDevAttrClockRate, 13, clockRate)                                                         \
    CPUCC_X(cudaDevAttrTextureAlignment, 14, textureAlignment)                                           \
    CPUCC_X(cudaDevAttrGpuOverlap, 15, deviceOverlap)                                                    \
    CPUCC_X(cudaDevAttrMultiProcessorCount, 16, multiProcessorCount)                                     \
    CPUCC_X(cudaDevAttrKernelExecTimeout, 17, kernelExecTimeoutEnabled)                                  \
    CPUCC_X(cudaDevAttrIntegrated, 18, integrated)                                                       \
    CPUCC_X(cudaDevAttrCanMapHostMemory, 19, canMapHostMemory)                                           \
    CPUCC_X(cudaDevAttrComputeMode, 20, computeMode)                                                     \
    CPUCC_X(cudaDevAttrMaxTexture1DWidth, 21, maxTexture1D)                                              \
    CPUCC_X(cudaDevAttrMaxTexture2DWidth, 22, maxTexture2D[0])                                           \
    CPUCC_X(cudaDevAttrMaxTexture2DHeight, 23, maxTexture2D[1])                                          \
    CPUCC_X(cudaDevAttrMaxTexture3DWidth, 24, maxTexture3D[0])                                           \
    CPUCC_X(cudaDevAttrMaxTexture3DHeight, 25, maxTexture3D[1])                                          \
    CPUCC_X(cudaDevAttrMaxTexture3DDepth, 26, maxTexture3D[2])                                           \
    CPUCC_X(cudaDevAttrMaxTexture2DLayeredWidth, 27, maxTexture2DLayered[0])                             \
    CPUCC_X(cudaDevAttrMaxTexture2DLayeredHeight, 28, maxTexture2DLayered[1])                            \
    CPUCC_X(cudaDevAttrMaxTexture2DLayeredLayers, 29, maxTexture2DLayered[2])                            \
    CPUCC_X(cudaDevAttrSurfaceAlignment, 30, surfaceAlignment)                                           \
    CPUCC_X(cudaDevAttrConcurrentKernels, 31, concurrentKernels)                                         \
    CPUCC_X(cudaDevAttrEccEnabled, 32, ECCEnabled)                                                       \
    CPUCC_X(cudaDevAttrPciBusId, 33, pciBusID)                                                           \
    CPUCC_X(cudaDevAttrPciDeviceId, 34, pciDeviceID)                                                     \
    CPUCC_X(cudaDevAttrTccDriver, 35, tccDriver)                                                         \
    CPUCC_X(cudaDevAttrMemoryClockRate, 36, memoryClockRate)                                             \
    CPUCC_X(cudaDevAttrGlobalMemoryBusWidth, 37, memoryBusWidth)                                         \
    CPUCC_X(cudaDevAttrL2CacheSize, 38, l2CacheSize)                                                     \
    CPUCC_X(cudaDevAttrMaxThreadsPerMultiProcessor, 39, maxThreadsPerMultiProcessor)                     \
    CPUCC_X(cudaDevAttrAsyncEngineCount, 40, asyncEngineCount)                                           \
    CPUCC_X(cudaDevAttrUnifiedAddressing, 41, unifiedAddressing)                                         \
    CPUCC_X(cudaDevAttrPciDomainId, 50, pciDomainID)                                                     \
    CPUCC_X(cudaDevAttrTexturePitchAlignment, 51, texturePitchAlignment)                                 \
    CPUCC_X(cudaDevAttrMaxTextureCubemapWidth, 52, maxTextureCubemap)                                    \
    CPUCC_X(cudaDevAttrMaxSurface1DWidth, 55, maxSurface1D)                                              \
    CPUCC_X(cudaDevAttrMaxSurface2DWidth, 56, maxSurface2D[0])                                           \
    CPUCC_X(cudaDevAttrMaxSurface2DHeight, 57, maxSurface2D[1])                                          \
    CPUCC_X(cudaDevAttrMaxTexture1DLinearWidth, 69, maxTexture1DLinear)                                  \
    CPUCC_X(cudaDevAttrMaxTexture2DLinearWidth, 70, maxTexture2DLinear[0])                               \
    CPUCC_X(cudaDevAttrMaxTexture2DLinearHeight, 71, maxTexture2DLinear[1])                              \
    CPUCC_X(cudaDevAttrMaxTexture2DLinearPitch, 72, maxTexture2DLinear[2])                               \
    CPUCC_X(cudaDevAttrComputeCapabilityMajor, 75, major)                                                \
    CPUCC_X(cudaDevAttrComputeCapabilityMinor, 76, minor)                                                \
    CPUCC_X(cudaDevAttrStreamPrioritiesSupported, 78, streamPrioritiesSupported)                         \
    CPUCC_X(cudaDevAttrGlobalL1CacheSupported, 79, globalL1CacheSupported)                               \
    CPUCC_X(cudaDevAttrLocalL1CacheSupported, 80, localL1CacheSupported)                                 \
    CPUCC_X(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, sharedMemPerMultiprocessor)                 \
    CPUCC_X(cudaDevAttrMaxRegistersPerMultiprocessor, 82, regsPerMultiprocessor)                         \
    CPUCC_X(cudaDevAttrManagedMemory, 83, managedMemory)                                                 \
    CPUCC_X(cudaDevAttrIsMultiGpuBoard, 84, isMultiGpuBoard)                                             \
    CPUCC_X(cudaDevAttrHostNativeAtomicSupported, 86, hostNativeAtomicSupported)                         \
    CPUCC_X(cudaDevAttrSingleToDoublePrecisionPerfRatio, 87, singleToDoublePrecisionPerfRatio)           \
    CPUCC_X(cudaDevAttrPageableMemoryAccess, 88, pageableMemoryAccess)                                   \
    CPUCC_X(cudaDevAttrConcurrentManagedAccess, 89, concurrentManagedAccess)                             \
    CPUCC_X(cudaDevAttrComputePreemptionSupported, 90, computePreemptionSupported)                       \
    CPUCC_X(cudaDevAttrCanUseHostPointerForRegisteredMem, 91, canUseHostPointerForRegisteredMem)         \
    CPUCC_X(cudaDevAttrCooperativeLaunch, 95, cooperativeLaunch)                                         \
    CPUCC_X(cudaDevAttrCooperativeMultiDeviceLaunch, 96, cooperativeMultiDeviceLaunch)                   \
    CPUCC_X(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, sharedMemPerBlockOptin)                         \
    CPUCC_X(cudaDevAttrHostRegisterSupported, 99, hostRegisterSupported)                                 \
    CPUCC_X(cudaDevAttrPageableMemoryAccessUsesHostPageTables, 100,                                      \
      pageableMemoryAccessUsesHostPageTables)                                                      \
    CPUCC_X(cudaDevAttrDirectManagedMemAccessFromHost, 101, directManagedMemAccessFromHost)              \
    CPUCC_X(cudaDevAttrMaxBlocksPerMultiprocessor, 106, maxBlocksPerMultiProcessor)                      \
    CPUCC_X(cudaDevAttrMaxPersistingL2CacheSize, 108, persistingL2CacheMaxSize)                          \
    CPUCC_X(cudaDevAttrMaxAccessPolicyWindowSize, 109, accessPolicyMaxWindowSize)                        \
    CPUCC_X(cudaDevAttrReservedSharedMemoryPerBlock, 111, reservedSharedMemPerBlock)                     \
    CPUCC_X(cudaDevAttrHostRegisterReadOnlySupported, 113, hostRegisterReadOnlySupported)                \
    CPUCC_X(cudaDevAttrMemoryPoolsSupported, 115, memoryPoolsSupported)                                  \
    CPUCC_X(cudaDevAttrClusterLaunch, 120, clusterLaunch)

#define CPUCC_OTHER_ATTRIBUTES(CPUCC_X)                                                                  \
    CPUCC_X(cudaDevAttrMaxTexture1DLayeredWidth, 42)                                                     \
    CPUCC_X(cudaDevAttrMaxTexture1DLayeredLayers, 43)                                                    \
    CPUCC_X(cudaDevAttrMaxTexture2DGatherWidth, 45)                                                      \
    CPUCC_X(cudaDevAttrMaxTexture2DGatherHeight, 46)                                                     \
    CPUCC_X(cudaDevAttrMaxTexture3DWidthAlt, 47)                                                         \
    CPUCC_X(cudaDevAttrMaxTexture3DHeightAlt, 48)                                                        \
    CPUCC_X(cudaDevAttrMaxTexture3DDepthAlt, 49)                                                         \
    CPUCC_X(cudaDevAttrMaxTextureCubemapLayeredWidth, 53)                                                \
    CPUCC_X(cudaDevAttrMaxTextureCubemapLayeredLayers, 54)                                               \
    CPUCC_X(cudaDevAttrMaxSurface3DWidth, 58)                                                            \
    CPUCC_X(cudaDevAttrMaxSurface3DHeight, 59)                                                           \
    CPUCC_X(cudaDevAttrMaxSurface3DDepth, 60)                                                            \
    CPUCC_X(cudaDevAttrMaxSurface1DLayeredWidth, 61)                                                     \
    CPUCC_X(cudaDevAttrMaxSurface1DLayeredLayers, 62)                                                    \
    CPUCC_X(cudaDevAttrMaxSurface2DLayeredWidth, 63)                                                     \
    CPUCC_X(cudaDevAttrMaxSurface2DLayeredHeight, 64)                                                    \
    CPUCC_X(cudaDevAttrMaxSurface2DLayeredLayers, 65)                                                    \
    CPUCC_X(cudaDevAttrMaxSurfaceCubemapWidth, 66)                                                       \
    CPUCC_X(cudaDevAttrMaxSurfaceCubemapLayeredWidth, 67)                                                \
    CPUCC_X(cudaDevAttrMaxSurfaceCubemapLayeredLayers, 68)                                               \
    CPUCC_X(cudaDevAttrMaxTexture2DMipmappedWidth, 73)                                                   \
    CPUCC_X(cudaDevAttrMaxTexture2DMipmappedHeight, 74)                                                  \
    CPUCC_X(cudaDevAttrMaxTexture1DMipmappedWidth, 77)                                                   \
    CPUCC_X(cudaDevAttrMultiGpuBoardGroupID, 85)                                                         \
    CPUCC_X(cudaDevAttrCanUseStreamMemOps, 93)                                                           \
    CPUCC_X(cudaDevAttrCanFlushRemoteWrites, 98)                                                         \
    CPUCC_X(cudaDevAttrSparseCudaArraySupported, 112)                                                    \
    CPUCC_X(cudaDevAttrTimelineSemaphoreInteropSupported, 114)                                           \
    CPUCC_X(cudaDevAttrGPUDirectRDMASupported, 116)                                                      \
    CPUCC_X(cudaDevAttrGPUDirectRDMAFlushWritesOptions, 117)                                             \
    CPUCC_X(cudaDevAttrGPUDirectRDMAWritesOrdering, 118)                                                 \
    CPUCC_X(cudaDevAttrMemoryPoolSupportedHandleTypes, 119)                                              \
    CPUCC_X(cudaDevAttrDeferredMappingCudaArraySupported, 121)                                           \
    CPUCC_X(cudaDevAttrIpcEventSupport, 125)                                                             \
    CPUCC_X(cudaDevAttrMemSyncDomainCount, 126)                                                          \
    CPUCC_X(cudaDevAttrNumaConfig, 130)                                                                  \
    CPUCC_X(cudaDevAttrNumaId, 131)                                                                      \
    CPUCC_X(cudaDevAttrMpsEnabled, 133)                                                                  \
    CPUCC_X(cudaDevAttrHostNumaId, 134)                                                                  \
    CPUCC_X(cudaDevAttrD3D12CigSupported, 135)                                                           \
    CPUCC_X(cudaDevAttrVulkanCigSupported, 138)                                                          \
    CPUCC_X(cudaDevAttrGpuPciDeviceId, 139)                                                              \
    CPUCC_X(cudaDevAttrGpuPciSubsystemId, 140)                                                           \
    CPUCC_X(cudaDevAttrHostNumaMemoryPoolsSupported, 142)                                                \
    CPUCC_X(cudaDevAttrHostNumaMultinodeIpcSupported, 143)                                               \
    CPUCC_X(cudaDevAttrHostMemoryPoolsSupported, 144)                                                    \
    CPUCC_X(cudaDevAttrOnlyPartialHostNativeAtomicSupported, 147)
/* clang-format on */

#endif
