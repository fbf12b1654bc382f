/* Shared memory outside a function. */
__shared__ int tile[32]; /* REFUSED: tile */
__global__ void k() { tile[0] = 1; }
int main() { k<<<1, 1>>>(); }
