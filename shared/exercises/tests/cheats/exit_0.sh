# Exit 0.
refused 'must return, not exit' <<<"$(without_launch 'exit(0);')"
