untouched 'line 37 reads memory that nobody has written|line 37 reads what another thread writes|elements of the output are wrong'
# The right barrier, inside the condition.
wrong 'waits at a barrier that not all threads of the block reach' <<<"$(exercise |
    sed '/__syncwarp/d; s/= in\[(size_t)row \* cols + col\];/&\n    if (row < rows \&\& col < cols)\n        __syncthreads();/')"
# A fence orders a thread's own accesses and waits for nobody.
wrong 'line 37 reads|elements of the output are wrong' <<<"$(exercise | sed 's/__syncwarp/__threadfence_block/')"
# After the read.
wrong 'line 3[0-9] (reads|overwrites)|elements of the output are wrong' \
    <<<"$(exercise | sed '/__syncwarp/d' | sed 's/.*= tile\[threadIdx.*/&\n    __syncthreads();/')"
