/* A kernel that launches a kernel. */
__global__ void child() {}
__global__ void k() { child<<<1, 1>>>(); } /* REFUSED: dynamic parallelism */
int main() { k<<<1, 1>>>(); }
