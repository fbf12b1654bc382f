/* user.cu: a C++ program with the single header, which calls it for elements of 4 bytes alone. Exit
 * status 0 if all is right. */
#include "transpose.cuh"

#include <stdio.h>

int main()
{
    enum { ROWS = 200, COLS = 77 };
    static float in[ROWS * COLS], out[ROWS * COLS];
    float *device;
    for (int i = 0; i < ROWS * COLS; i++)
        in[i] = (float)i;
    if (cudaMalloc(&device, 2 * sizeof in) != cudaSuccess)
        return 3;
    cudaMemcpy(device, in, sizeof in, cudaMemcpyHostToDevice);

    Transpose t = {};
    t.out = device + ROWS * COLS;
    t.in = device;
    t.rows = ROWS;
    t.cols = COLS;
    t.element_bytes = 4;
    TransposeError error = transpose<4>(&t);
    printf("%s\n", transpose_error_text(error));

    cudaError_t copied = cudaMemcpy(out, t.out, sizeof out, cudaMemcpyDeviceToHost);
    int wrong = error != TRANSPOSE_OK || copied != cudaSuccess;
    for (int row = 0; row < ROWS; row++)
        for (int col = 0; col < COLS; col++)
            wrong += out[col * ROWS + row] != in[row * COLS + col];
    printf("%d wrong\n", wrong);
    cudaFree(device);
    return wrong > 0;
}
