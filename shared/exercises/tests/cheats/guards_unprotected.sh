# The guards unprotected.
refused 'calls mprotect, which' <<<"$(launching 'mprotect((void *)out, 4096, 3);' '' |
    sed '/^#include/a\
#include <sys\/mman.h>')"
