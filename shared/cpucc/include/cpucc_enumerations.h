/* Lists the enumerations of the run-time API (names and values: CUDA Runtime API documentation). */
#ifndef CPUCC_ENUMERATIONS_H
#define CPUCC_ENUMERATIONS_H

/* clang-format off */
typedef enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned,
    cudaChannelFormatKindFloat, cudaChannelFormatKindNone, cudaChannelFormatKindNV12,
    cudaChannelFormatKindUnsignedNormalized8X1, cudaChannelFormatKindUnsignedNormalized8X2,
    cudaChannelFormatKindUnsignedNormalized8X4, cudaChannelFormatKindUnsignedNormalized16X1,
    cudaChannelFormatKindUnsignedNormalized16X2, cudaChannelFormatKindUnsignedNormalized16X4,
    cudaChannelFormatKindSignedNormalized8X1, cudaChannelFormatKindSignedNormalized8X2,
    cudaChannelFormatKindSignedNormalized8X4, cudaChannelFormatKindSignedNormalized16X1,
    cudaChannelFormatKindSignedNormalized16X2, cudaChannelFormatKindSignedNormalized16X4,
    cudaChannelFormatKindUnsignedBlockCompressed1,
    cudaChannelFormatKindUnsignedBlockCompressed1SRGB,
    cudaChannelFormatKindUnsignedBlockCompressed2,
    cudaChannelFormatKindUnsignedBlockCompressed2SRGB,
    cudaChannelFormatKindUnsignedBlockCompressed3,
    cudaChannelFormatKindUnsignedBlockCompressed3SRGB,
    cudaChannelFormatKindUnsignedBlockCompressed4, cudaChannelFormatKindSignedBlockCompressed4,
    cudaChannelFormatKindUnsignedBlockCompressed5, cudaChannelFormatKindSignedBlockCompressed5,
    cudaChannelFormatKindUnsignedBlockCompressed6H, cudaChannelFormatKindSignedBlockCompressed6H,
    cudaChannelFormatKindUnsignedBlockCompressed7,
    cudaChannelFormatKindUnsignedBlockCompressed7SRGB,
    cudaChannelFormatKindUnsignedNormalized1010102 } cudaChannelFormatKind;
typedef enum cudaMemoryType { cudaMemoryTypeUnregistered, cudaMemoryTypeHost, cudaMemoryTypeDevice,
    cudaMemoryTypeManaged } cudaMemoryType;
typedef enum cudaMemcpyKind { cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice, cudaMemcpyDefault } cudaMemcpyKind;
typedef enum cudaAccessProperty { cudaAccessPropertyNormal, cudaAccessPropertyStreaming,
    cudaAccessPropertyPersisting } cudaAccessProperty;
typedef enum cudaStreamCaptureStatus { cudaStreamCaptureStatusNone, cudaStreamCaptureStatusActive,
    cudaStreamCaptureStatusInvalidated } cudaStreamCaptureStatus;
typedef enum cudaStreamCaptureMode { cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
    cudaStreamCaptureModeRelaxed } cudaStreamCaptureMode;
typedef enum cudaSynchronizationPolicy { cudaSyncPolicyAuto = 1, cudaSyncPolicySpin,
    cudaSyncPolicyYield, cudaSyncPolicyBlockingSync } cudaSynchronizationPolicy;
typedef enum cudaClusterSchedulingPolicy { cudaClusterSchedulingPolicyDefault,
    cudaClusterSchedulingPolicySpread, cudaClusterSchedulingPolicyLoadBalancing
    } cudaClusterSchedulingPolicy;
typedef enum cudaStreamUpdateCaptureDependenciesFlags { cudaStreamAddCaptureDependencies,
    cudaStreamSetCaptureDependencies } cudaStreamUpdateCaptureDependenciesFlags;
typedef enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 } cudaUserObjectFlags;
typedef enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 } cudaUserObjectRetainFlags;
typedef enum cudaGraphicsRegisterFlags { cudaGraphicsRegisterFlagsNone,
    cudaGraphicsRegisterFlagsReadOnly, cudaGraphicsRegisterFlagsWriteDiscard,
    cudaGraphicsRegisterFlagsSurfaceLoadStore = 4, cudaGraphicsRegisterFlagsTextureGather = 8
    } cudaGraphicsRegisterFlags;
typedef enum cudaGraphicsMapFlags { cudaGraphicsMapFlagsNone, cudaGraphicsMapFlagsReadOnly,
    cudaGraphicsMapFlagsWriteDiscard } cudaGraphicsMapFlags;
typedef enum cudaGraphicsCubeFace { cudaGraphicsCubeFacePositiveX, cudaGraphicsCubeFaceNegativeX,
    cudaGraphicsCubeFacePositiveY, cudaGraphicsCubeFaceNegativeY, cudaGraphicsCubeFacePositiveZ,
    cudaGraphicsCubeFaceNegativeZ } cudaGraphicsCubeFace;
typedef enum cudaResourceType { cudaResourceTypeArray, cudaResourceTypeMipmappedArray,
    cudaResourceTypeLinear, cudaResourceTypePitch2D } cudaResourceType;
typedef enum cudaResourceViewFormat { cudaResViewFormatNone, cudaResViewFormatUnsignedChar1,
    cudaResViewFormatUnsignedChar2, cudaResViewFormatUnsignedChar4, cudaResViewFormatSignedChar1,
    cudaResViewFormatSignedChar2, cudaResViewFormatSignedChar4, cudaResViewFormatUnsignedShort1,
    cudaResViewFormatUnsignedShort2, cudaResViewFormatUnsignedShort4, cudaResViewFormatSignedShort1,
    cudaResViewFormatSignedShort2, cudaResViewFormatSignedShort4, cudaResViewFormatUnsignedInt1,
    cudaResViewFormatUnsignedInt2, cudaResViewFormatUnsignedInt4, cudaResViewFormatSignedInt1,
    cudaResViewFormatSignedInt2, cudaResViewFormatSignedInt4, cudaResViewFormatHalf1,
    cudaResViewFormatHalf2, cudaResViewFormatHalf4, cudaResViewFormatFloat1,
    cudaResViewFormatFloat2, cudaResViewFormatFloat4, cudaResViewFormatUnsignedBlockCompressed1,
    cudaResViewFormatUnsignedBlockCompressed2, cudaResViewFormatUnsignedBlockCompressed3,
    cudaResViewFormatUnsignedBlockCompressed4, cudaResViewFormatSignedBlockCompressed4,
    cudaResViewFormatUnsignedBlockCompressed5, cudaResViewFormatSignedBlockCompressed5,
    cudaResViewFormatUnsignedBlockCompressed6H, cudaResViewFormatSignedBlockCompressed6H,
    cudaResViewFormatUnsignedBlockCompressed7 } cudaResourceViewFormat;
typedef enum cudaFuncAttribute { cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout, cudaFuncAttributeClusterDimMustBeSet,
    cudaFuncAttributeRequiredClusterWidth, cudaFuncAttributeRequiredClusterHeight,
    cudaFuncAttributeRequiredClusterDepth, cudaFuncAttributeNonPortableClusterSizeAllowed,
    cudaFuncAttributeClusterSchedulingPolicyPreference, cudaFuncAttributeMax } cudaFuncAttribute;
typedef enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared,
    cudaFuncCachePreferL1, cudaFuncCachePreferEqual } cudaFuncCache;
typedef enum cudaSharedMemConfig { cudaSharedMemBankSizeDefault, cudaSharedMemBankSizeFourByte,
    cudaSharedMemBankSizeEightByte } cudaSharedMemConfig;
typedef enum cudaSharedCarveout { cudaSharedmemCarveoutMaxL1, cudaSharedmemCarveoutMaxShared = 100,
    cudaSharedmemCarveoutDefault = -1 } cudaSharedCarveout;
typedef enum cudaComputeMode { cudaComputeModeDefault, cudaComputeModeExclusive,
    cudaComputeModeProhibited, cudaComputeModeExclusiveProcess } cudaComputeMode;
typedef enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize,
    cudaLimitDevRuntimeSyncDepth, cudaLimitDevRuntimePendingLaunchCount,
    cudaLimitMaxL2FetchGranularity, cudaLimitPersistingL2CacheSize } cudaLimit;
typedef enum cudaMemoryAdvise { cudaMemAdviseSetReadMostly = 1, cudaMemAdviseUnsetReadMostly,
    cudaMemAdviseSetPreferredLocation, cudaMemAdviseUnsetPreferredLocation,
    cudaMemAdviseSetAccessedBy, cudaMemAdviseUnsetAccessedBy } cudaMemoryAdvise;
typedef enum cudaMemRangeAttribute { cudaMemRangeAttributeReadMostly = 1,
    cudaMemRangeAttributePreferredLocation, cudaMemRangeAttributeAccessedBy,
    cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributePreferredLocationType,
    cudaMemRangeAttributePreferredLocationId, cudaMemRangeAttributeLastPrefetchLocationType,
    cudaMemRangeAttributeLastPrefetchLocationId } cudaMemRangeAttribute;
typedef enum cudaFlushGPUDirectRDMAWritesOptions { cudaFlushGPUDirectRDMAWritesOptionHost = 1,
    cudaFlushGPUDirectRDMAWritesOptionMemOps } cudaFlushGPUDirectRDMAWritesOptions;
typedef enum cudaGPUDirectRDMAWritesOrdering { cudaGPUDirectRDMAWritesOrderingNone,
    cudaGPUDirectRDMAWritesOrderingOwner = 100, cudaGPUDirectRDMAWritesOrderingAllDevices = 200
    } cudaGPUDirectRDMAWritesOrdering;
typedef enum cudaFlushGPUDirectRDMAWritesScope { cudaFlushGPUDirectRDMAWritesToOwner = 100,
    cudaFlushGPUDirectRDMAWritesToAllDevices = 200 } cudaFlushGPUDirectRDMAWritesScope;
typedef enum cudaFlushGPUDirectRDMAWritesTarget { cudaFlushGPUDirectRDMAWritesTargetCurrentDevice
    } cudaFlushGPUDirectRDMAWritesTarget;
typedef enum cudaMemPoolAttr { cudaMemPoolReuseFollowEventDependencies = 1,
    cudaMemPoolReuseAllowOpportunistic, cudaMemPoolReuseAllowInternalDependencies,
    cudaMemPoolAttrReleaseThreshold, cudaMemPoolAttrReservedMemCurrent,
    cudaMemPoolAttrReservedMemHigh, cudaMemPoolAttrUsedMemCurrent, cudaMemPoolAttrUsedMemHigh
    } cudaMemPoolAttr;
typedef enum cudaMemLocationType { cudaMemLocationTypeInvalid, cudaMemLocationTypeNone = 0,
    cudaMemLocationTypeDevice, cudaMemLocationTypeHost, cudaMemLocationTypeHostNuma,
    cudaMemLocationTypeHostNumaCurrent } cudaMemLocationType;
typedef enum cudaMemAccessFlags { cudaMemAccessFlagsProtNone, cudaMemAccessFlagsProtRead,
    cudaMemAccessFlagsProtReadWrite = 3 } cudaMemAccessFlags;
typedef enum cudaMemAllocationType { cudaMemAllocationTypeInvalid, cudaMemAllocationTypePinned,
    cudaMemAllocationTypeManaged, cudaMemAllocationTypeMax = 0x7fffffff } cudaMemAllocationType;
typedef enum cudaMemAllocationHandleType { cudaMemHandleTypeNone,
    cudaMemHandleTypePosixFileDescriptor, cudaMemHandleTypeWin32, cudaMemHandleTypeWin32Kmt = 4,
    cudaMemHandleTypeFabric = 8 } cudaMemAllocationHandleType;
typedef enum cudaGraphMemAttributeType { cudaGraphMemAttrUsedMemCurrent,
    cudaGraphMemAttrUsedMemHigh, cudaGraphMemAttrReservedMemCurrent, cudaGraphMemAttrReservedMemHigh
    } cudaGraphMemAttributeType;
typedef enum cudaMemcpyFlags { cudaMemcpyFlagDefault, cudaMemcpyFlagPreferOverlapWithCompute
    } cudaMemcpyFlags;
typedef enum cudaMemcpySrcAccessOrder { cudaMemcpySrcAccessOrderInvalid,
    cudaMemcpySrcAccessOrderStream, cudaMemcpySrcAccessOrderDuringApiCall,
    cudaMemcpySrcAccessOrderAny, cudaMemcpySrcAccessOrderMax = 0x7fffffff
    } cudaMemcpySrcAccessOrder;
typedef enum cudaMemcpy3DOperandType { cudaMemcpyOperandTypePointer = 1, cudaMemcpyOperandTypeArray,
    cudaMemcpyOperandTypeMax = 0x7fffffff } cudaMemcpy3DOperandType;
typedef enum cudaDeviceP2PAttr { cudaDevP2PAttrPerformanceRank = 1, cudaDevP2PAttrAccessSupported,
    cudaDevP2PAttrNativeAtomicSupported, cudaDevP2PAttrCudaArrayAccessSupported,
    cudaDevP2PAttrOnlyPartialNativeAtomicSupported } cudaDeviceP2PAttr;
typedef enum cudaExternalMemoryHandleType { cudaExternalMemoryHandleTypeOpaqueFd = 1,
    cudaExternalMemoryHandleTypeOpaqueWin32, cudaExternalMemoryHandleTypeOpaqueWin32Kmt,
    cudaExternalMemoryHandleTypeD3D12Heap, cudaExternalMemoryHandleTypeD3D12Resource,
    cudaExternalMemoryHandleTypeD3D11Resource, cudaExternalMemoryHandleTypeD3D11ResourceKmt,
    cudaExternalMemoryHandleTypeNvSciBuf } cudaExternalMemoryHandleType;
typedef enum cudaExternalSemaphoreHandleType { cudaExternalSemaphoreHandleTypeOpaqueFd = 1,
    cudaExternalSemaphoreHandleTypeOpaqueWin32, cudaExternalSemaphoreHandleTypeOpaqueWin32Kmt,
    cudaExternalSemaphoreHandleTypeD3D12Fence, cudaExternalSemaphoreHandleTypeD3D11Fence,
    cudaExternalSemaphoreHandleTypeNvSciSync, cudaExternalSemaphoreHandleTypeKeyedMutex,
    cudaExternalSemaphoreHandleTypeKeyedMutexKmt,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreFd,
    cudaExternalSemaphoreHandleTypeTimelineSemaphoreWin32 } cudaExternalSemaphoreHandleType;
typedef enum cudaJitOption { cudaJitMaxRegisters, cudaJitThreadsPerBlock, cudaJitWallTime,
    cudaJitInfoLogBuffer, cudaJitInfoLogBufferSizeBytes, cudaJitErrorLogBuffer,
    cudaJitErrorLogBufferSizeBytes, cudaJitOptimizationLevel, cudaJitFallbackStrategy = 10,
    cudaJitGenerateDebugInfo, cudaJitLogVerbose, cudaJitGenerateLineInfo, cudaJitCacheMode,
    cudaJitPositionIndependentCode = 30, cudaJitMinCtaPerSm, cudaJitMaxThreadsPerBlock,
    cudaJitOverrideDirectiveValues } cudaJitOption;
typedef enum cudaLibraryOption { cudaLibraryHostUniversalFunctionAndDataTable,
    cudaLibraryBinaryIsPreserved } cudaLibraryOption;
typedef enum cudaJit_CacheMode { cudaJitCacheOptionNone, cudaJitCacheOptionCG, cudaJitCacheOptionCA
    } cudaJit_CacheMode;
typedef enum cudaJit_Fallback { cudaPreferPtx, cudaPreferBinary } cudaJit_Fallback;
typedef enum cudaCGScope { cudaCGScopeInvalid, cudaCGScopeGrid } cudaCGScope;
typedef enum cudaGraphConditionalHandleFlags { cudaGraphCondAssignDefault = 1
    } cudaGraphConditionalHandleFlags;
typedef enum cudaGraphConditionalNodeType { cudaGraphCondTypeIf, cudaGraphCondTypeWhile,
    cudaGraphCondTypeSwitch } cudaGraphConditionalNodeType;
typedef enum cudaGraphNodeType { cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
    cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost, cudaGraphNodeTypeGraph, cudaGraphNodeTypeEmpty,
    cudaGraphNodeTypeWaitEvent, cudaGraphNodeTypeEventRecord, cudaGraphNodeTypeExtSemaphoreSignal,
    cudaGraphNodeTypeExtSemaphoreWait, cudaGraphNodeTypeMemAlloc, cudaGraphNodeTypeMemFree,
    cudaGraphNodeTypeConditional = 13, cudaGraphNodeTypeCount } cudaGraphNodeType;
typedef enum cudaGraphChildGraphNodeOwnership { cudaGraphChildGraphOwnershipClone,
    cudaGraphChildGraphOwnershipMove } cudaGraphChildGraphNodeOwnership;
typedef enum cudaGraphDependencyType_enum { cudaGraphDependencyTypeDefault,
    cudaGraphDependencyTypeProgrammatic } cudaGraphDependencyType_enum;
typedef enum cudaGraphExecUpdateResult { cudaGraphExecUpdateSuccess, cudaGraphExecUpdateError,
    cudaGraphExecUpdateErrorTopologyChanged, cudaGraphExecUpdateErrorNodeTypeChanged,
    cudaGraphExecUpdateErrorFunctionChanged, cudaGraphExecUpdateErrorParametersChanged,
    cudaGraphExecUpdateErrorNotSupported, cudaGraphExecUpdateErrorUnsupportedFunctionChange,
    cudaGraphExecUpdateErrorAttributesChanged } cudaGraphExecUpdateResult;
typedef enum cudaGraphInstantiateResult { cudaGraphInstantiateSuccess, cudaGraphInstantiateError,
    cudaGraphInstantiateInvalidStructure, cudaGraphInstantiateNodeOperationNotSupported,
    cudaGraphInstantiateMultipleDevicesNotSupported, cudaGraphInstantiateConditionalHandleUnused
    } cudaGraphInstantiateResult;
typedef enum cudaGraphKernelNodeField { cudaGraphKernelNodeFieldInvalid,
    cudaGraphKernelNodeFieldGridDim, cudaGraphKernelNodeFieldParam, cudaGraphKernelNodeFieldEnabled
    } cudaGraphKernelNodeField;
typedef enum cudaGetDriverEntryPointFlags { cudaEnableDefault, cudaEnableLegacyStream,
    cudaEnablePerThreadDefaultStream } cudaGetDriverEntryPointFlags;
typedef enum cudaDriverEntryPointQueryResult { cudaDriverEntryPointSuccess,
    cudaDriverEntryPointSymbolNotFound, cudaDriverEntryPointVersionNotSufficent
    } cudaDriverEntryPointQueryResult;
typedef enum cudaGraphDebugDotFlags { cudaGraphDebugDotFlagsVerbose = 1,
    cudaGraphDebugDotFlagsKernelNodeParams = 4, cudaGraphDebugDotFlagsMemcpyNodeParams = 8,
    cudaGraphDebugDotFlagsMemsetNodeParams = 16, cudaGraphDebugDotFlagsHostNodeParams = 32,
    cudaGraphDebugDotFlagsEventNodeParams = 64,
    cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 128,
    cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 256,
    cudaGraphDebugDotFlagsKernelNodeAttributes = 512, cudaGraphDebugDotFlagsHandles = 1024,
    cudaGraphDebugDotFlagsConditionalNodeParams = 32768 } cudaGraphDebugDotFlags;
typedef enum cudaGraphInstantiateFlags { cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
    cudaGraphInstantiateFlagUpload, cudaGraphInstantiateFlagDeviceLaunch = 4,
    cudaGraphInstantiateFlagUseNodePriority = 8 } cudaGraphInstantiateFlags;
typedef enum cudaLaunchMemSyncDomain { cudaLaunchMemSyncDomainDefault, cudaLaunchMemSyncDomainRemote
    } cudaLaunchMemSyncDomain;
typedef enum cudaLaunchAttributeID { cudaLaunchAttributeIgnore,
    cudaLaunchAttributeAccessPolicyWindow, cudaLaunchAttributeCooperative,
    cudaLaunchAttributeSynchronizationPolicy, cudaLaunchAttributeClusterDimension,
    cudaLaunchAttributeClusterSchedulingPolicyPreference,
    cudaLaunchAttributeProgrammaticStreamSerialization, cudaLaunchAttributeProgrammaticEvent,
    cudaLaunchAttributePriority, cudaLaunchAttributeMemSyncDomainMap,
    cudaLaunchAttributeMemSyncDomain, cudaLaunchAttributePreferredClusterDimension,
    cudaLaunchAttributeLaunchCompletionEvent, cudaLaunchAttributeDeviceUpdatableKernelNode,
    cudaLaunchAttributePreferredSharedMemoryCarveout,
    cudaLaunchAttributeNvlinkUtilCentricScheduling = 16 } cudaLaunchAttributeID;
typedef enum cudaDeviceNumaConfig { cudaDeviceNumaConfigNone, cudaDeviceNumaConfigNumaNode
    } cudaDeviceNumaConfig;
typedef enum cudaAsyncNotificationType_enum { cudaAsyncNotificationTypeOverBudget = 1
    } cudaAsyncNotificationType_enum;
typedef enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp,
    cudaBoundaryModeTrap } cudaSurfaceBoundaryMode;
typedef enum cudaSurfaceFormatMode { cudaFormatModeForced, cudaFormatModeAuto
    } cudaSurfaceFormatMode;
typedef enum cudaTextureAddressMode { cudaAddressModeWrap, cudaAddressModeClamp,
    cudaAddressModeMirror, cudaAddressModeBorder } cudaTextureAddressMode;
typedef enum cudaTextureFilterMode { cudaFilterModePoint, cudaFilterModeLinear
    } cudaTextureFilterMode;
typedef enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat
    } cudaTextureReadMode;
typedef enum cudaDataType_t { CUDA_R_32F, CUDA_R_64F, CUDA_R_16F, CUDA_R_8I, CUDA_C_32F, CUDA_C_64F,
    CUDA_C_16F, CUDA_C_8I, CUDA_R_8U, CUDA_C_8U, CUDA_R_32I, CUDA_C_32I, CUDA_R_32U, CUDA_C_32U,
    CUDA_R_16BF, CUDA_C_16BF, CUDA_R_4I, CUDA_C_4I, CUDA_R_4U, CUDA_C_4U, CUDA_R_16I, CUDA_C_16I,
    CUDA_R_16U, CUDA_C_16U, CUDA_R_64I, CUDA_C_64I, CUDA_R_64U, CUDA_C_64U, CUDA_R_8F_E4M3,
    CUDA_R_8F_UE4M3 = 28, CUDA_R_8F_E5M2, CUDA_R_8F_UE8M0, CUDA_R_6F_E2M3, CUDA_R_6F_E3M2,
    CUDA_R_4F_E2M1 } cudaDataType;
typedef enum libraryPropertyType_t { MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL
    } libraryPropertyType;
/* clang-format on */

#endif
