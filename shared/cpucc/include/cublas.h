#error "cpucc: <cublas.h>, the interface of CUDA 3, is not supported; cublas_v2.h is"
