untouched 'the stores of line 30 touch 32 sectors a request; 4 is possible'
# The mirror image has the same fault on the other side.
wrong 'the loads of line 30 touch 32 sectors a request' \
    <<<"$(exercise | sed 's/TILE + threadIdx.y;/TILE + threadIdx.Q;/; s/TILE + threadIdx.x;/TILE + threadIdx.y;/; s/threadIdx.Q/threadIdx.x/')"
# A patch of 2 x 16.
wrong 'the stores of line [0-9]* touch 16 sectors a request' \
    <<<"$(solution | sed 's/PATCH_ROWS = 4/PATCH_ROWS = 2/; s/PATCH_COLS = 8/PATCH_COLS = 16/')"
# Patches of the block overlap: part of the tile is nobody's.
wrong 'which nobody wrote' <<<"$(solution | sed 's/patches_across = TILE \/ PATCH_COLS/patches_across = TILE \/ PATCH_ROWS/')"
