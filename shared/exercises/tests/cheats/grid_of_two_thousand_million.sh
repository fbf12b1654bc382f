# A grid that would take days.
export EXERCISE_SECONDS=1
refused 'still running after|more than 1 GB' <<<"$(solution | sed 's/^    dim3 blocks.*/    dim3 blocks(2000000000);/')"
