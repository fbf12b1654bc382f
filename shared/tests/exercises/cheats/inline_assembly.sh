# Inline assembly.
refused 'inline assembly' <<<"$(launching 'asm volatile("nop");' '')"
