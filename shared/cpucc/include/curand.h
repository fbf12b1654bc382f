#error "cpucc: <curand.h> is not supported"
