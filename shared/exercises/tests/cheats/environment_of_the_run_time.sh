# The run time's own settings, changed by the host's code.
refused 'cannot use|does not compile' <<<"$(exercise | sed 's/^    dim3 threads/    setenv("CPUCC_HOST_CHECKS", "off", 1), putenv((char *)"CPUCC_REPORT=off");\n&/')"
