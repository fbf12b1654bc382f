# _exit.
refused 'calls _exit, which an exercise cannot use' <<<"$(launching '' '_exit(0);')"
