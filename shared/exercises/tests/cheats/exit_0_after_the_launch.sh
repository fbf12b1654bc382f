# Exit 0 after the launch.
refused 'must return, not exit' <<<"$(launching '' 'exit(0);')"
