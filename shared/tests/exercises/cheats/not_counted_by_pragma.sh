# The same by a pragma.
refused "switches the compiler's instrumentation off|does not compile" \
    <<<"$(exercise | sed '/^#include/a\
#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)'; echo '#pragma clang attribute pop')"
