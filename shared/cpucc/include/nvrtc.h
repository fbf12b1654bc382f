#error "cpucc: <nvrtc.h> is not supported"
