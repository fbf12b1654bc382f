# A flood of output from the kernel.
export EXERCISE_SECONDS=1
refused 'printed more than 60000 characters' \
    <<<"$(solution | sed 's/^    if (row < rows/    printf("thread %d says hello to everyone\\n", row);\n&/')"
