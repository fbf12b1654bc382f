untouched 'the launch function starts 3 kernels; the goal is exactly 1'
# Only the first matrix.
wrong 'the first is in matrix 1, row 0, column 0, which nobody wrote' <<<"$(solution | sed 's/ \* count, threads/, threads/')"
# The input's start moved, the output's not.
wrong 'another thread writes|nobody wrote' <<<"$(solution | sed 's/out\[matrix + /out[/')"
# The matrix from the number of threads.
wrong 'reaches outside an array|nobody wrote|elements of the output are wrong' <<<"$(solution | sed 's/blockIdx.x \/ blocks_a_matrix/blockIdx.x % 3/')"
