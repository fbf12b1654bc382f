#error "cpucc: <cufft.h> is not supported"
