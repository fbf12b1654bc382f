# Local arrays that are larger than a thread's memory.
refused 'local variables take more than|does not compile|out of stack' <<<"$(solution |
    sed 's/^    if (row < rows/    volatile char local[400000];\n    local[rows * 17] = 1;\n    local[cols] = local[rows];\n&/')"
