# A wild pointer in the kernel.
export EXERCISE_SECONDS=1
refused 'reaches outside an array' <<<"$(solution | sed 's/out\[(size_t)col/out[(size_t)1 << 40 | col/')"
