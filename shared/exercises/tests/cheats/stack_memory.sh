# Memory on the stack.
export EXERCISE_SECONDS=1
refused 'it crashed|more than 1 GB' <<<"$(launching \
    'volatile char much[1u << 30]; for (size_t i = 0; i < sizeof much; i += 4096) much[i] = 1;' '')"
