# Code at start-up.
refused 'nobody wrote|no kernel was launched|ended before' <<<"$(without_launch '' |
    sed '/^#include/a\
__attribute__((constructor)) static void early(void) { exit(0); }')"
