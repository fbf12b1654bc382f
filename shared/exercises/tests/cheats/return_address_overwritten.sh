# Writes behind a local array, where a machine keeps return addresses.
refused 'no instruction of a GPU makes|reaches outside|crashed|elements of the output are wrong|no array has|outside' <<<"$(solution |
    sed 's/^    if (row < rows/    volatile long local[4];\n    if (row + col == 0) for (int i = 0; i < 40000; i++) local[i + (rows == 1)] = 0x41414141;\n&/')"
