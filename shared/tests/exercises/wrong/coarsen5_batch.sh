untouched 'the launch function starts 3 kernels; the goal is exactly 1'
# Only the first matrix.
wrong 'the first is in matrix 1, row 0, column 0, which nobody wrote' <<<"$(solution | sed 's/, count);/);/')"
# The input's start moved, the output's not.
wrong 'another thread writes|nobody wrote' <<<"$(solution | sed 's/out\[matrix + /out[/')"
# The matrix from the wrong dimension.
wrong 'reaches outside an array|nobody wrote|elements of the output are wrong' <<<"$(solution | sed 's/(size_t)blockIdx.z/(size_t)blockIdx.y/')"
