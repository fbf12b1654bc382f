# An endless loop on the host.
export EXERCISE_SECONDS=3
refused 'still running after 3 seconds' <<<"$(launching 'for (volatile int i = 0; i < 2; i = 0) { }' '')"
