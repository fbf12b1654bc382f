# Allocated memory; a compiler may see that nobody uses it, and drop the loop.
export EXERCISE_SECONDS=1
refused 'calls (free, )?malloc, which|calls calloc, which|no kernel was launched' <<<"$(launching 'for (;;) memset(malloc(1 << 20), 1, 1 << 20);' '')"
