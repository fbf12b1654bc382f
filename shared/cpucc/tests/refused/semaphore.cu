/* A part of libcu++ that is not there. */
#include <cuda/barrier>
__global__ void k() { __shared__ cuda::semaphore barrier; /* REFUSED: semaphore */ }
int main() { k<<<1, 1>>>(); }
