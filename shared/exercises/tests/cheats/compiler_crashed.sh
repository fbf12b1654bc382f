# A pragma that makes the compiler crash.
refused 'does not compile' <<<"$(solution | sed '/^#include/a\
#pragma clang __debug crash')"
