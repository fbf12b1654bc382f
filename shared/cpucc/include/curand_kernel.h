#error "cpucc: <curand_kernel.h> is not supported"
