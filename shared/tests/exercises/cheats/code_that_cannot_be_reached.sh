# What runs on behind the end of a function.
refused 'code that cannot be reached was reached|trap' <<<"$(solution |
    sed 's/^    if (row < rows/    if (rows > 3) __builtin_unreachable();\n&/')"
