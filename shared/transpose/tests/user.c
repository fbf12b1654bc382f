/* user.c: a C program that calls the library. Built with a C compiler. Exit status 0 if all is right. */
#include <cuda_runtime_api.h>
#include <stdio.h>

#include "transpose/transpose.h"

int main(void)
{
    enum { ROWS = 1000, COLS = 777 };
    float *in, *out;
    if (cudaMallocManaged((void **)&in, sizeof(float) * ROWS * COLS, cudaMemAttachGlobal) ||
        cudaMallocManaged((void **)&out, sizeof(float) * ROWS * COLS, cudaMemAttachGlobal))
        return 3;
    for (int i = 0; i < ROWS * COLS; i++)
        in[i] = (float)i;

    Transpose t = {.out = out, .in = in, .rows = ROWS, .cols = COLS, .element_bytes = 4};
    TransposeError error = transpose(&t);
    if (error != TRANSPOSE_OK || cudaDeviceSynchronize()) {
        printf("transpose: %s\n", transpose_error_text(error));
        return 1;
    }
    int wrong = 0;
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++)
            wrong += out[col * ROWS + row] != in[row * COLS + col];
    printf("%d wrong\n", wrong);
    cudaFree(in);
    cudaFree(out);
    return wrong > 0;
}
