untouched 'elements of the output are wrong'
# Both plain: right, with conflicts.
wrong 'the loads from shared memory take 32 times' <<<"$(exercise | sed 's/threadIdx.x ^ threadIdx.y/threadIdx.x/')"
# The wrong bits of the row.
wrong 'elements of the output are wrong|nobody has written' \
    <<<"$(exercise | sed 's/tile\[threadIdx.x\]\[threadIdx.y\]/tile[threadIdx.x][threadIdx.y ^ threadIdx.x \/ 2]/')"
wrong 'elements of the output are wrong' \
    <<<"$(exercise | sed 's/tile\[threadIdx.x\]\[threadIdx.y\]/tile[threadIdx.y][threadIdx.x ^ threadIdx.y]/')"
