#error "cpucc: <cublas.h> is not supported"
