# A flood of output.
EXERCISE_SECONDS=3
refused 'printed more than 60000 characters' <<<"$(launching 'for (;;) puts("out");' '')"
