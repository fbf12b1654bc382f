# A local variable without a bound.
refused 'nobody wrote|something illegal|local|stack|outside an array|took more|does not compile' <<<"$(solution |
    sed 's/^    if (row < rows/    char *q = (char *)__builtin_alloca((size_t)rows << 40);\n    q[0] = 1, q[(size_t)rows << 39] = 2;\n    if (q[5]) return;\n&/')"
