untouched 'the kernel makes 2048 requests for loads .*the goal is at most 256'
# Wide, but too large a tile.
wrong 'a block takes 16384 bytes of shared memory; the goal is at most 8192' <<<"$(solution | sed 's/TILE_ROWS = 64/TILE_ROWS = 128/')"
# The tile left out.
wrong 'requests for stores to shared memory \(shared_store\); the goal is at least 1' <<<"$(solution |
    sed 's/tile\[row_major(CHUNKS, y, x)\] = in/out[(size_t)(first_row + y) * chunks + chunk] = in/; /= tile\[/d' |
    sed '/__syncthreads/,/^}/{/for\|if/d}')"
# Eight bytes a thread are not enough.
wrong 'the kernel makes 512 requests for loads' <<<"$(solution | sed 's/uint4/uint2/g; s|cols / 8|cols / 4|g')"
# One chunk a row and thread: a thread goes down alone.
wrong 'the loads take [0-9.]* times the sectors' <<<"$(solution | sed 's/CHUNKS = 8;/CHUNKS = 1;/')"
