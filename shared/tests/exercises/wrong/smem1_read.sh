untouched 'line 37 still has a blank to fill in'
# As it came in: tiles change places, but no tile is transposed.
wrong 'at 256 x 256, [0-9]* of 65536 elements of the output are wrong; the first is row 0, column 1' \
    <<<"$(exercise | sed 's/\[___\]\[___\]/[threadIdx.y][threadIdx.x]/')"
# Positions in the matrix, where positions in the tile are needed.
wrong 'line 37 reaches outside an array' <<<"$(exercise | sed 's/\[___\]\[___\]/[out_col][out_row]/')"
# Transposed, but past the tile.
wrong 'the stores of line [0-9]* touch 32 sectors a request' <<<"$(solution |
    sed 's/        tile\[threadIdx.y\]\[threadIdx.x\] = in\(.*\)/        tile[0][0] = 0, out[(size_t)col * rows + row] = in\1/; /out_row/d; /out_col/d' |
    sed 's/    __syncthreads();/    if (threadIdx.x > 99) out[0] = tile[0][0];/; s/tile\[0\]\[0\] = 0, //')"
