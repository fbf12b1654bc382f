/* A matrix instruction of older GPUs. */
__global__ void k(float *p)
{
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 " /* REFUSED: m8n8k4 */
                 "{%0,%0,%0,%0,%0,%0,%0,%0}, {%1,%1}, {%1,%1}, {%0,%0,%0,%0,%0,%0,%0,%0};"
                 : "+f"(*p)
                 : "r"(0));
}
int main() { k<<<1, 1>>>(nullptr); }
