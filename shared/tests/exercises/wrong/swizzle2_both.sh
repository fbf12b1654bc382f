untouched 'elements of the output are wrong'
# Both plain: right, with conflicts.
wrong 'the loads from shared memory take 32 times' <<<"$(exercise | sed 's/swizzle(5, 0, 5, row_major(PITCH, row, col))/row_major(PITCH, row, col)/')"
# The offset swizzled with the wrong shift.
wrong 'elements of the output are wrong|nobody has written' \
    <<<"$(exercise | sed 's/tile\[row_major(PITCH, threadIdx.x, threadIdx.y)\]/tile[swizzle(5, 0, 6, row_major(PITCH, threadIdx.x, threadIdx.y))]/')"
wrong 'elements of the output are wrong' \
    <<<"$(exercise | sed 's/tile\[row_major(PITCH, threadIdx.x, threadIdx.y)\]/tile[tile_offset(threadIdx.y, threadIdx.x)]/')"
