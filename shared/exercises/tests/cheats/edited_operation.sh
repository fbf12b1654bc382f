# An edited operation.
refused 'elements of the output are wrong' \
    <<<"$(exercise | sed 's/^\/\/ operation: transpose/\/\/ operation: copy/; s/out\[.*\] =/out[(size_t)row * cols + col] =/')"
