# Code in .init, which would run before anything is confined.
refused 'into a section of its own.*[.]init' <<<"$(exercise | sed '/^#include/a\
__attribute__((section(".init"), used)) static void early(void) { __builtin_trap(); }')"
