# The machine's assembly in a kernel: only PTX is understood.
refused 'does not compile|does something illegal|PTX|asm' <<<"$(solution |
    sed 's/^    if (row < rows/    asm volatile("syscall");\n&/')"
