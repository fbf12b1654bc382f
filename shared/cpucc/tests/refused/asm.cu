__global__ void k(int *p)
{
    asm volatile("mov.u32 %0, %%laneid;\n\t" /* REFUSED: wgmma.fence.sync.aligned */
                 "wgmma.fence.sync.aligned;"
                 : "=r"(*p));
}
int main() { k<<<1, 1>>>(nullptr); }
