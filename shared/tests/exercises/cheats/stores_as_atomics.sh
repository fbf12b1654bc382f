# Stores as atomics.
refused 'too little traffic was counted' \
    <<<"$(exercise | sed 's/out\[(size_t)col \* rows + row\] = \(.*\);/atomicExch(\&out[(size_t)col * rows + row], \1);/')"
