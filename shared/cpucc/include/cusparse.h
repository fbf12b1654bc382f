#error "cpucc: <cusparse.h> is not supported"
