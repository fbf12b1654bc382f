# Copies by the runtime.
refused 'calls cudaMemcpy2D, which an exercise cannot use' <<<"$(without_launch \
    'for (int j = 0; j < cols; j++) cudaMemcpy2D(out + (size_t)j * rows, 4, in + j, 4 * cols, 4, rows, cudaMemcpyDeviceToDevice);')"
