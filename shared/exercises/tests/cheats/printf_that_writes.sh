# printf's %n.
refused 'touch 32 sectors' <<<"$(exercise |
    sed 's/^    if (row < rows/    if (row + col == 0) printf("%ns %s\\n", (const char *)8, (const char *)8);\n&/')"
