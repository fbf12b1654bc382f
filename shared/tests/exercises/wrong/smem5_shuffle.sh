untouched 'the stores of line 50 touch 8 sectors a request; 4 is possible'
# Only one of the two registers: half of the patch comes twice.
wrong 'elements of the output are wrong' <<<"$(solution | sed 's/x < 4 ? first : second/first/')"
# The shuffle where only some threads come.
wrong 'wrong lanes|elements of the output are wrong|waits for something' <<<"$(solution |
    sed 's/        float first = .*//; s/        float second = .*//; s/x < 4 ? first : second/__shfl_sync(0xffffffff, value[x \/ 4], lane)/')"
# Shared memory after all.
wrong 'a block takes 1024 bytes of shared memory; the goal is exactly 0' <<<"$(solution |
    sed 's/    float value\[2\] = .*/    __shared__ float patches[WARPS][64];\n&\n    patches[threadIdx.y][threadIdx.x] = 0;/')"
