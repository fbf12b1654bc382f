# A crash.
export EXERCISE_SECONDS=1
refused 'it crashed' <<<"$(launching '*(volatile int *)8 = 1;' '')"
