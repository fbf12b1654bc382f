/* Lists the error codes of the run-time API: name, number, text (CUDA Runtime API documentation,
 * "Data types used by CUDA Runtime", and cudaGetErrorString). */
#ifndef CPUCC_ERRORS_H
#define CPUCC_ERRORS_H

/* clang-format off */
#define CPUCC_ERRORS(CPUCC_X)                                                                            \
    CPUCC_X(cudaSuccess, 0, "no error")                                                                  \
    CPUCC_X(cudaErrorInvalidValue, 1, "invalid argument")                                                \
    CPUCC_X(cudaErrorMemoryAllocation, 2, "out of memory")                                               \
    CPUCC_X(cudaErrorInitializationError, 3, "initialization error")                                     \
    CPUCC_X(cudaErrorCudartUnloading, 4, "driver shutting down")                                         \
    CPUCC_X(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")       \
    CPUCC_X(cudaErrorProfilerNotInitialized, 6,                                                          \
      "profiler not initialized: call cudaProfilerInitialize()")                                   \
    CPUCC_X(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")                              \
    CPUCC_X(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")                              \
    CPUCC_X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                          \
    CPUCC_X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                    \
    CPUCC_X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                         \
    CPUCC_X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                     \
    CPUCC_X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                 \
    CPUCC_X(cudaErrorInvalidTexture, 18, "invalid texture reference")                                    \
    CPUCC_X(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                     \
    CPUCC_X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                         \
    CPUCC_X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                    \
    CPUCC_X(cudaErrorAddressOfConstant, 22, "invalid address of constant")                               \
    CPUCC_X(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")                                \
    CPUCC_X(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")               \
    CPUCC_X(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")                       \
    CPUCC_X(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")      \
    CPUCC_X(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type")     \
    CPUCC_X(cudaErrorMixedDeviceExecution, 28,                                                           \
      "device emulation mode and device execution mode cannot be mixed")                           \
    CPUCC_X(cudaErrorNotYetImplemented, 31, "feature not yet implemented")                               \
    CPUCC_X(cudaErrorMemoryValueTooLarge, 32,                                                            \
      "memory size or pointer value too large to fit in 32 bit")                                   \
    CPUCC_X(cudaErrorStubLibrary, 34, "CUDA driver is a stub library")                                   \
    CPUCC_X(cudaErrorInsufficientDriver, 35,                                                             \
      "CUDA driver version is insufficient for CUDA runtime version")                              \
    CPUCC_X(cudaErrorCallRequiresNewerDriver, 36,                                                        \
      "API call is not supported in the installed CUDA driver")                                    \
    CPUCC_X(cudaErrorInvalidSurface, 37, "invalid surface reference")                                    \
    CPUCC_X(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")    \
    CPUCC_X(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")             \
    CPUCC_X(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")             \
    CPUCC_X(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")        \
    CPUCC_X(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")                       \
    CPUCC_X(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")             \
    CPUCC_X(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")               \
    CPUCC_X(cudaErrorLaunchMaxDepthExceeded, 65,                                                         \
      "launch would exceed maximum depth of nested launches")                                      \
    CPUCC_X(cudaErrorLaunchFileScopedTex, 66,                                                            \
      "launch failed because kernel uses unsupported, file-scoped textures (texture objects "      \
      "are supported)")                                                                            \
    CPUCC_X(cudaErrorLaunchFileScopedSurf, 67,                                                           \
      "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects "      \
      "are supported)")                                                                            \
    CPUCC_X(cudaErrorSyncDepthExceeded, 68,                                                              \
      "cudaDeviceSynchronize failed because caller's grid depth exceeds "                          \
      "cudaLimitDevRuntimeSyncDepth")                                                              \
    CPUCC_X(cudaErrorLaunchPendingCountExceeded, 69,                                                     \
      "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount")           \
    CPUCC_X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                               \
    CPUCC_X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                \
    CPUCC_X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                       \
    CPUCC_X(cudaErrorDeviceNotLicensed, 102, "device doesn't have valid Grid license")                   \
    CPUCC_X(cudaErrorSoftwareValidityNotEstablished, 103, "integrity checks failed")                     \
    CPUCC_X(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")                             \
    CPUCC_X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                          \
    CPUCC_X(cudaErrorDeviceUninitialized, 201, "invalid device context")                                 \
    CPUCC_X(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                      \
    CPUCC_X(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                  \
    CPUCC_X(cudaErrorArrayIsMapped, 207, "array is mapped")                                              \
    CPUCC_X(cudaErrorAlreadyMapped, 208, "resource already mapped")                                      \
    CPUCC_X(cudaErrorNoKernelImageForDevice, 209,                                                        \
      "no kernel image is available for execution on the device")                                  \
    CPUCC_X(cudaErrorAlreadyAcquired, 210, "resource already acquired")                                  \
    CPUCC_X(cudaErrorNotMapped, 211, "resource not mapped")                                              \
    CPUCC_X(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")                              \
    CPUCC_X(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                          \
    CPUCC_X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                       \
    CPUCC_X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")               \
    CPUCC_X(cudaErrorDeviceAlreadyInUse, 216,                                                            \
      "exclusive-thread device already in use by a different thread")                              \
    CPUCC_X(cudaErrorPeerAccessUnsupported, 217,                                                         \
      "peer access is not supported between these two devices")                                    \
    CPUCC_X(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                    \
    CPUCC_X(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                   \
    CPUCC_X(cudaErrorNvlinkUncorrectable, 220,                                                           \
      "uncorrectable NVLink error detected during the execution")                                  \
    CPUCC_X(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")                     \
    CPUCC_X(cudaErrorUnsupportedPtxVersion, 222,                                                         \
      "the provided PTX was compiled with an unsupported toolchain.")                              \
    CPUCC_X(cudaErrorJitCompilationDisabled, 223, "PTX JIT compilation was disabled")                    \
    CPUCC_X(cudaErrorUnsupportedExecAffinity, 224, "the provided execution affinity is not supported")   \
    CPUCC_X(cudaErrorUnsupportedDevSideSync, 225,                                                        \
      "the provided PTX contains unsupported call to cudaDeviceSynchronize")                       \
    CPUCC_X(cudaErrorContained, 226,                                                                     \
      "Invalid access of peer GPU memory over nvlink or a hardware error")                         \
    CPUCC_X(cudaErrorInvalidSource, 300, "device kernel image is invalid")                               \
    CPUCC_X(cudaErrorFileNotFound, 301, "file not found")                                                \
    CPUCC_X(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                  \
    CPUCC_X(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                 \
    CPUCC_X(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")       \
    CPUCC_X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                              \
    CPUCC_X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")        \
    CPUCC_X(cudaErrorLossyQuery, 402, "attempted introspection would be semantically lossy")             \
    CPUCC_X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                      \
    CPUCC_X(cudaErrorNotReady, 600, "device not ready")                                                  \
    CPUCC_X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                    \
    CPUCC_X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")               \
    CPUCC_X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                      \
    CPUCC_X(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")        \
    CPUCC_X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                    \
    CPUCC_X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                      \
    CPUCC_X(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")       \
    CPUCC_X(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                    \
    CPUCC_X(cudaErrorAssert, 710, "device-side assert triggered")                                        \
    CPUCC_X(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                              \
    CPUCC_X(cudaErrorHostMemoryAlreadyRegistered, 712,                                                   \
      "part or all of the requested memory range is already mapped")                               \
    CPUCC_X(cudaErrorHostMemoryNotRegistered, 713,                                                       \
      "pointer does not correspond to a registered memory region")                                 \
    CPUCC_X(cudaErrorHardwareStackError, 714, "hardware stack error")                                    \
    CPUCC_X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                  \
    CPUCC_X(cudaErrorMisalignedAddress, 716, "misaligned address")                                       \
    CPUCC_X(cudaErrorInvalidAddressSpace, 717,                                                           \
      "operation not supported on global/shared address space")                                    \
    CPUCC_X(cudaErrorInvalidPc, 718, "invalid program counter")                                          \
    CPUCC_X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                   \
    CPUCC_X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")            \
    CPUCC_X(cudaErrorTensorMemoryLeak, 721, "tensor memory not completely freed")                        \
    CPUCC_X(cudaErrorNotPermitted, 800, "operation not permitted")                                       \
    CPUCC_X(cudaErrorNotSupported, 801, "operation not supported")                                       \
    CPUCC_X(cudaErrorSystemNotReady, 802, "system not yet initialized")                                  \
    CPUCC_X(cudaErrorSystemDriverMismatch, 803,                                                          \
      "system has unsupported display driver / cuda driver combination")                           \
    CPUCC_X(cudaErrorCompatNotSupportedOnDevice, 804,                                                    \
      "forward compatibility was attempted on non supported HW")                                   \
    CPUCC_X(cudaErrorMpsConnectionFailed, 805,                                                           \
      "MPS client failed to connect to the MPS control daemon or the MPS server")                  \
    CPUCC_X(cudaErrorMpsRpcFailure, 806,                                                                 \
      "the remote procedural call between the MPS server and the MPS client failed")               \
    CPUCC_X(cudaErrorMpsServerNotReady, 807,                                                             \
      "MPS server is not ready to accept new MPS client requests")                                 \
    CPUCC_X(cudaErrorMpsMaxClientsReached, 808,                                                          \
      "the hardware resources required to create MPS client have been exhausted")                  \
    CPUCC_X(cudaErrorMpsMaxConnectionsReached, 809,                                                      \
      "the hardware resources required to support device connections have been exhausted")         \
    CPUCC_X(cudaErrorMpsClientTerminated, 810, "the MPS client has been terminated by the server")       \
    CPUCC_X(cudaErrorCdpNotSupported, 811,                                                               \
      "is using CUDA Dynamic Parallelism, but the current configuration, like MPS, does not "      \
      "support it")                                                                                \
    CPUCC_X(cudaErrorCdpVersionMismatch, 812,                                                            \
      "unsupported interaction between different versions of CUDA Dynamic Parallelism")            \
    CPUCC_X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")  \
    CPUCC_X(cudaErrorStreamCaptureInvalidated, 901,                                                      \
      "operation failed due to a previous error during capture")                                   \
    CPUCC_X(cudaErrorStreamCaptureMerge, 902,                                                            \
      "operation would result in a merge of separate capture sequences")                           \
    CPUCC_X(cudaErrorStreamCaptureUnmatched, 903,                                                        \
      "capture was not ended in the same stream as it began")                                      \
    CPUCC_X(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                   \
    CPUCC_X(cudaErrorStreamCaptureIsolation, 905,                                                        \
      "dependency created on uncaptured work in another stream")                                   \
    CPUCC_X(cudaErrorStreamCaptureImplicit, 906,                                                         \
      "operation would make the legacy stream depend on a capturing blocking stream")              \
    CPUCC_X(cudaErrorCapturedEvent, 907,                                                                 \
      "operation not permitted on an event last recorded in a capturing stream")                   \
    CPUCC_X(cudaErrorStreamCaptureWrongThread, 908,                                                      \
      "attempt to terminate a thread-local capture sequence from another thread")                  \
    CPUCC_X(cudaErrorTimeout, 909, "wait operation timed out")                                           \
    CPUCC_X(cudaErrorGraphExecUpdateFailure, 910,                                                        \
      "the graph update was not performed because it included changes which violated "             \
      "constraints specific to instantiated graph update")                                         \
    CPUCC_X(cudaErrorExternalDevice, 911,                                                                \
      "an async error has occured in external entity outside of CUDA")                             \
    CPUCC_X(cudaErrorInvalidClusterSize, 912,                                                            \
      "a kernel launch error has occurred due to cluster misconfiguration")                        \
    CPUCC_X(cudaErrorFunctionNotLoaded, 913,                                                             \
      "the function handle is not loaded when calling an API that requires a loaded function")     \
    CPUCC_X(cudaErrorInvalidResourceType, 914,                                                           \
      "one or more resources passed in are not valid resource types for the operation")            \
    CPUCC_X(cudaErrorInvalidResourceConfiguration, 915,                                                  \
      "one or more resources are insufficient or non-applicable for the operation")                \
    CPUCC_X(cudaErrorUnknown, 999, "unknown error")
/* clang-format on */

#endif
