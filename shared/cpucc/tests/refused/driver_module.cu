/* Modules of the driver's API. */
#include <cuda.h>
int main()
{
    CUmodule module; /* REFUSED: CUmodule */
    return 0;
}
