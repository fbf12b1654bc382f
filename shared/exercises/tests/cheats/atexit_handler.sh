# An atexit handler, to run after the verdict.
refused 'calls .*atexit.*, which an exercise cannot use|no kernel was launched|nobody wrote' \
    <<<"$(without_launch 'atexit(late);' | sed '/^#include/a\
static void late(void) { }')"
