#error "cpucc: <cub/cub.cuh> is not supported"
