# An endless loop in the kernel.
export EXERCISE_SECONDS=1
refused 'still running after 1 seconds|waits for something that never happens' \
    <<<"$(solution | sed 's/^    if (row < rows/    for (volatile int i = 0; i < 2; i = 0) { }\n&/')"
