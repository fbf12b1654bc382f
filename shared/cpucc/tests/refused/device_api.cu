/* The run-time API in device code. */
__global__ void k() { cudaDeviceSynchronize(); } /* REFUSED: cudaDeviceSynchronize.*dynamic */
int main() { k<<<1, 1>>>(); }
