/* CUDA graphs. */
int main()
{
    cudaGraph_t g; /* REFUSED: cudaGraph_t */
    cudaGraphCreate(&g, 0);
}
