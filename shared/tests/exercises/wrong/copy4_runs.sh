untouched 'the loads of line 32 touch 32 sectors a request; 4 is possible'
# The step changed, the start not: elements are copied twice, or never.
wrong 'nobody wrote|race|another thread writes' <<<"$(exercise | sed 's/= first + e;/= first + (size_t)e * blockDim.x;/')"
# One element a thread and eight times the blocks.
wrong 'the grid has 256 blocks; the goal is at most 32' <<<"$(exercise | sed 's/ELEMENTS = 8/ELEMENTS = 1/')"
# Steps of a warp's width, but warps overlap.
wrong 'nobody wrote|another thread writes' <<<"$(solution | sed 's/(size_t)e \* blockDim.x/(size_t)e * 32/')"
