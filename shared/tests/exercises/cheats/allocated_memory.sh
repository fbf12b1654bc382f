# Allocated memory.
export EXERCISE_SECONDS=3
refused 'calls (free, )?malloc, which|calls calloc, which' <<<"$(launching 'for (;;) memset(malloc(1 << 20), 1, 1 << 20);' '')"
