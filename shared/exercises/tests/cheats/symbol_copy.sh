# Copies by what cudaMemcpyToSymbol is made of.
refused 'calls cpucc_symbol_copy' <<<"$(launching 'cpucc_symbol_copy(out, 4, 0, (void *)in, 4, 1);' '')"
