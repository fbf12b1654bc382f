untouched 'the loads touch .* sectors a request; the goal is at most 4'
# Every pair exchanged twice.
wrong 'another thread|elements of the output are wrong' <<<"$(solution | sed '/if (tile_row < tile_col)/,+1d')"
# The diagonal left out.
wrong 'elements of the output are wrong' <<<"$(solution | sed 's/if (tile_row < tile_col)/if (tile_row <= tile_col)/')"
# Written over before it was read.
wrong 'elements of the output are wrong|another thread' <<<"$(solution | sed '/^    __syncthreads();/d')"
# The diagonal moved twice.
wrong 'the kernel makes 2304 requests for loads|another thread' <<<"$(solution | sed '/if (tile_row != tile_col)/d; s/^        load_tile(upper/    load_tile(upper/')"
