#error "cpucc: <mma.h> is not supported"
