# A thread that waits for another.
export EXERCISE_SECONDS=1
refused 'waits for something that never happens|still running after' \
    <<<"$(solution | sed 's/^    if (row < rows/    __shared__ volatile int flag;\n    flag = 0;\n    while (flag == 0) { }\n&/; s/shared_bytes == 0/x/')"
