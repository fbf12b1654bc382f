# Inline assembly.
refused 'does not compile' <<<"$(launching 'asm volatile("nop");' '')"
