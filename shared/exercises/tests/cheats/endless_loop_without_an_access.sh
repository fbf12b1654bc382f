# while (1); in the kernel, which C++ may take to end.
export EXERCISE_SECONDS=1
refused 'still running after 1 seconds' <<<"$(solution | sed 's/^    if (row < rows/    while (1);\n&/')"
