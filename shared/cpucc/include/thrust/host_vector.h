#error "cpucc: <thrust/host_vector.h> is not supported"
