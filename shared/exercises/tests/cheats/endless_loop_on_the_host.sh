# An endless loop on the host.
export EXERCISE_SECONDS=1
refused 'still running after 1 seconds' <<<"$(launching 'for (volatile int i = 0; i < 2; i = 0) { }' '')"
