/* The run-time API in device code. */
__global__ void k(int **p)
{
    cudaMalloc(p, 4); /* REFUSED: cudaMalloc.*dynamic parallelism */
}
int main() { k<<<1, 1>>>(nullptr); }
