#error "cpucc: <thrust/device_vector.h> is not supported"
