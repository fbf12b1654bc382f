untouched 'the kernel makes 2048 requests for loads'
wrong 'shared memory take [0-9.]* times the wavefronts' <<<"$(solution | sed 's/PITCH = TILE + 1/PITCH = TILE/')"
# Bits for values.
wrong 'elements of the output are wrong' <<<"$(solution | sed 's/= values\.x;/= __uint_as_float(values.x);/')"
# A tile of bytes, padded like floats.
wrong 'from shared memory take [0-9.]* times|shared memory take|the kernel makes' <<<"$(solution | sed 's/__shared__ float tile/__shared__ uint8_t tile/; s/PITCH = TILE + 1/PITCH = TILE/')"
