# A jump to an address of the kernel's choice.
refused 'does not compile|the address of a label|an instruction' <<<"$(solution |
    sed 's/^    if (row < rows/    void *to[2] = {\&\&a, \&\&b};\n    goto *((char *)to[rows \& 1] + cols);\na:\nb:\n&/')"
