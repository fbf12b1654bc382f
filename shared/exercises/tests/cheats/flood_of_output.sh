# A flood of output.
export EXERCISE_SECONDS=1
refused 'printed more than 60000 characters' <<<"$(launching 'for (;;) puts("out");' '')"
