# A crash.
export EXERCISE_SECONDS=3
refused 'it crashed' <<<"$(launching '*(volatile int *)8 = 1;' '')"
