# Launches for ever.
export EXERCISE_SECONDS=1
refused 'still running after' <<<"$(solution | sed 's/^    transpose<<<.*/    for (;;)\n    &/')"
