# The same by a pragma.
refused "touch 32 sectors|does not compile" \
    <<<"$(exercise | sed '/^#include/a\
#pragma clang attribute push(__attribute__((no_sanitize("thread"))), apply_to = function)'; echo '#pragma clang attribute pop')"
