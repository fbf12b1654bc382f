# A kernel that reads and writes addresses at random.
refused 'reaches outside an array' <<<"$(solution |
    sed 's/^    if (row < rows/    ((volatile int *)0x400000)[row] = 1;\n&/')"
