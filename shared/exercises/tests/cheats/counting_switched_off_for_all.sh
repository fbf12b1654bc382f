# A pragma that gives every function an attribute.
refused 'touch 32 sectors|does not compile|cannot have|outside an array' <<<"$(exercise | sed '/^#include/a\
#pragma clang attribute push(__attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation)), apply_to = function)'
echo '#pragma clang attribute pop')"
