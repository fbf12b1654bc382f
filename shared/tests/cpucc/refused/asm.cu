/* Inline assembly. */
__global__ void k(int *p)
{
    asm volatile("mov.u32 %0, %laneid;" : "=r"(*p)); /* REFUSED: asm */
}
int main() { k<<<1, 1>>>(nullptr); }
