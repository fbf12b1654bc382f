# An atexit handler.
refused 'calls .*atexit.*, which an exercise cannot use' <<<"$(above 'static void late(void) { }' |
    sed 's/^    dim3 threads/    atexit(late);\n&/')"
