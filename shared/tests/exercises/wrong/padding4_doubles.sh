untouched 'elements of the output are wrong'
wrong 'the loads from shared memory take 16 times the wavefronts' <<<"$(solution | sed 's/\[TILE + 1\]/[TILE]/')"
# The tile left as floats: values are converted, and bits lost.
wrong 'elements of the output are wrong' <<<"$(solution | sed 's/__shared__ double/__shared__ float/')"
# Half a double makes half a pad.
wrong 'a block takes 8704 bytes|take 2 times' <<<"$(solution | sed 's/\[TILE + 1\]/[TILE + 2]/')"
