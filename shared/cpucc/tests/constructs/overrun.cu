/* The overrun of a host array between launches leaves cpucc's records as they are. */
#include "../../cpucc.h"
#include <cstdlib>
#include <unistd.h>
__global__ void set(int *p) { p[threadIdx.x] = threadIdx.x; }
int main()
{
    volatile int *h = (volatile int *)malloc(100);
    int *d, last;
    cudaMalloc(&d, 128);
    set<<<1, 32>>>(d);
    int *after = (int *)malloc(4096);
    for (int i = 25; i < 1000 || h + i < after - 4; i++)
        h[i] = 0x7f7f7f7f;
    set<<<2, 32>>>(d);
    cudaMemcpy(&last, d + 31, 4, cudaMemcpyDeviceToHost);
    struct cpucc_totals totals;
    cpucc_read(&totals);
    _exit(last != 31 || totals.counter[CPUCC_GLOBAL_STORE].requests != 3 || totals.faults ||
          cudaFree(d));
}
