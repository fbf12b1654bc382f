#error "cpucc: <cublas_v2.h> is not supported"
