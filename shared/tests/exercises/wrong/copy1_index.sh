untouched 'line 21 still has a blank to fill in: size_t i = ___;'
wrong 'nobody wrote' <<<"$(exercise | sed 's/___/threadIdx.x/')"
# Each thread its own run of blocks: right, but strided.
wrong 'the loads of line 23 touch 32 sectors a request; 4 is possible' \
    <<<"$(exercise | sed 's/___/(size_t)threadIdx.x * gridDim.x + blockIdx.x/')"
wrong 'it does not compile: line 21' <<<"$(exercise | sed 's/___/blockIdx * 256 + threadIdx/')"
